import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const revenuecatConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { event: { id: fresh.uuid(), type: "example.updated" } } });
  return { two: [event(), event()] };
};
