import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const trelloConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { action: { id: fresh.uuid(), type: "example.updated" } } });
  return { two: [event(), event()] };
};
