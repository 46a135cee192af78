import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const customerIoConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { event_id: fresh.uuid(), metric: "example.updated" } });
  return { two: [event(), event()] };
};
