import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const renderConsecutive: Consecutive = () => {
  const event = () => ({ json: { type: "example.updated", object: { id: "the same" } } });
  return { two: [event(), event()] };
};
