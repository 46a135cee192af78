import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const kickConsecutive: Consecutive = () => {
  const event = () => ({
    headers: { "kick-event-type": "example.updated" },
    json: { object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
