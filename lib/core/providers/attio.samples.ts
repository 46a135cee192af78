import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const attioConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "idempotency-key": fresh.uuid() },
    json: { events: [{ event_type: "example.updated" }], object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
