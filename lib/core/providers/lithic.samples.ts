import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const lithicConsecutive: Consecutive = () => {
  const event = () => ({ json: { event_type: "example.updated", object: { id: "the same" } } });
  return { two: [event(), event()] };
};
