import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const telnyxConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { data: { id: fresh.uuid(), event_type: "example.updated" } } });
  return { two: [event(), event()] };
};
