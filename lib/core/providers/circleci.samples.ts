import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const circleciConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "circleci-event-type": "example.updated" },
    json: { id: fresh.uuid() },
  });
  return { two: [event(), event()] };
};
