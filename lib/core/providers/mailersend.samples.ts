import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const mailersendConsecutive: Consecutive = () => {
  const common = { type: "activity.opened", data: { email: { message: { id: "m1" } } } };
  return {
    two: [
      { json: { ...common, created_at: "2026-01-02T10:00:00.000001Z" } },
      { json: { ...common, created_at: "2026-01-02T10:00:00.000002Z" } },
    ],
  };
};
