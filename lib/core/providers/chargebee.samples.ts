import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const chargebeeConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { id: fresh.uuid(), event_type: "example.updated" } });
  return { two: [event(), event()] };
};
