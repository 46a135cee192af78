import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const loopsConsecutive: Consecutive = () => {
  const event = () => ({ json: { eventName: "example.updated", object: { id: "the same" } } });
  return { two: [event(), event()] };
};
