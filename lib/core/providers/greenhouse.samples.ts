import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const greenhouseConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "greenhouse-event-id": fresh.uuid() },
    json: { action: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
