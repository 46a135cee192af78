import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const streamConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-webhook-id": fresh.uuid() },
    json: { type: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
