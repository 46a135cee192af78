import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const herokuConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    json: { webhook_metadata: { event: { id: fresh.uuid(), include: "example.updated" } } },
  });
  return { two: [event(), event()] };
};
