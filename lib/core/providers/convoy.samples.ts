import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const convoyConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-convoy-idempotency-key": fresh.uuid() },
    json: { event_type: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
