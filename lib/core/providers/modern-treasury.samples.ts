import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const modernTreasuryConsecutive: Consecutive = () => {
  const common = { event: "completed" };
  return {
    two: [
      {
        headers: { "x-topic": "example.updated" },
        json: { ...common, data: { id: "1", updated_at: "2026-01-02T10:00:00Z" } },
      },
      {
        headers: { "x-topic": "example.updated" },
        json: { ...common, data: { id: "1", updated_at: "2026-01-02T10:00:01Z" } },
      },
    ],
  };
};
