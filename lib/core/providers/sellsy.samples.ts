import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const sellsyConsecutive: Consecutive = () => {
  const common = { eventType: "client", event: "updated", relatedid: "1" };
  return {
    two: [
      { json: { ...common, timestamp: "2026-01-02T10:00:00Z" } },
      { json: { ...common, timestamp: "2026-01-02T10:00:01Z" } },
    ],
  };
};
