import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const hygraphConsecutive: Consecutive = () => {
  const common = { operation: "update" };
  return {
    two: [
      { json: { ...common, data: { id: "e1", updatedAt: "2026-01-02T10:00:00.001Z" } } },
      { json: { ...common, data: { id: "e1", updatedAt: "2026-01-02T10:00:00.002Z" } } },
    ],
  };
};
