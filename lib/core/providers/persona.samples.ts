import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const personaConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    json: { data: { id: fresh.uuid(), attributes: { name: "example.updated" } } },
  });
  return { two: [event(), event()] };
};
