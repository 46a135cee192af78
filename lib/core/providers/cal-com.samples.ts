import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const calComConsecutive: Consecutive = () => {
  const common = { triggerEvent: "BOOKING_RESCHEDULED", payload: { uid: "u1" } };
  return {
    two: [
      { json: { ...common, createdAt: "2026-01-02T10:00:00.001Z" } },
      { json: { ...common, createdAt: "2026-01-02T10:00:00.002Z" } },
    ],
    // By a template of the user, without a time.
    more: [
      { two: [{ json: { content: "A booking: Ada" } }, { json: { content: "A booking: Bo" } }] },
    ],
  };
};
