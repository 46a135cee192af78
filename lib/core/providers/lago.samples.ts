import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const lagoConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-lago-unique-key": fresh.uuid() },
    json: { webhook_type: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
