import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const ghostConsecutive: Consecutive = () => {
  const event = () => ({ json: { post: { current: { id: "p1", title: "Hello" }, previous: {} } } });
  return { two: [event(), event()] };
};
