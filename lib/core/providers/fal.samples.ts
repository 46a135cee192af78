import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const falConsecutive: Consecutive = () => {
  const event = () => ({ json: { status: "example.updated", object: { id: "the same" } } });
  return { two: [event(), event()] };
};
