import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const airtableConsecutive: Consecutive = () => {
  const common = { base: { id: "app1" }, webhook: { id: "ach1" } };
  return {
    two: [
      { json: { ...common, timestamp: "2026-01-02T10:00:00.001Z" } },
      { json: { ...common, timestamp: "2026-01-02T10:00:00.002Z" } },
    ],
  };
};
