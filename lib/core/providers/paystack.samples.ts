import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const paystackConsecutive: Consecutive = () => {
  const common = { event: "charge.success" };
  return {
    two: [
      { json: { ...common, data: { id: 1, paid_at: "2026-01-02T10:00:00.000Z" } } },
      { json: { ...common, data: { id: 2, paid_at: "2026-01-02T10:00:00.000Z" } } },
    ],
  };
};
