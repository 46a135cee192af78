import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const recallAiConsecutive: Consecutive = () => {
  const event = () => ({ json: { event: "example.updated", object: { id: "the same" } } });
  return { two: [event(), event()] };
};
