import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const adyenPlatformConsecutive: Consecutive = () => {
  const common = {
    type: "balancePlatform.transfer.updated",
    environment: "test",
    data: { id: "4VW5Y" },
  };
  return {
    two: [
      { json: { ...common, timestamp: "2026-01-02T10:00:00Z" } },
      { json: { ...common, timestamp: "2026-01-02T10:00:01Z" } },
    ],
  };
};
