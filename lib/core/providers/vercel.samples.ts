import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const vercelConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { id: fresh.uuid(), type: "example.updated" } });
  return { two: [event(), event()] };
};
