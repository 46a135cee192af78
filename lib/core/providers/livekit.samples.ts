import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const livekitConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { id: fresh.uuid(), event: "example.updated" } });
  return { two: [event(), event()] };
};
