import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const easypostConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { id: fresh.uuid(), description: "example.updated" } });
  return { two: [event(), event()] };
};
