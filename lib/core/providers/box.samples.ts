import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const boxConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { id: fresh.uuid(), trigger: "example.updated" } });
  return { two: [event(), event()] };
};
