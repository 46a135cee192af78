import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const hookdeckConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-hookdeck-eventid": fresh.uuid() },
    json: { type: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
