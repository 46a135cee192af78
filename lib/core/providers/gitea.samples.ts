import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const giteaConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-gitea-delivery": fresh.uuid(), "x-gitea-event": "example.updated" },
    json: { object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
