import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const contentfulConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: {
      "x-contentful-idempotency-key": fresh.uuid(),
      "x-contentful-topic": "example.updated",
    },
    json: { object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
