import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const wiseConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-delivery-id": fresh.uuid() },
    json: { event_type: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
