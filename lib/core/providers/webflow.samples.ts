import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const webflowConsecutive: Consecutive = () => {
  const common = { triggerType: "collection_item_changed" };
  return {
    two: [
      { json: { ...common, payload: { id: "1", lastUpdated: "2026-01-02T10:00:00.001Z" } } },
      { json: { ...common, payload: { id: "1", lastUpdated: "2026-01-02T10:00:00.002Z" } } },
    ],
  };
};
