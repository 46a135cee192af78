import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const sanityConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "idempotency-key": fresh.uuid(), "sanity-operation": "example.updated" },
    json: { object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
