import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const bitbucketConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-request-uuid": fresh.uuid(), "x-event-key": "example.updated" },
    json: { object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
