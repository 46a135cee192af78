import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const mondayConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { event: { triggerUuid: fresh.uuid(), type: "example.updated" } } });
  return { two: [event(), event()] };
};
