import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const plivoConsecutive: Consecutive = () => {
  const event = () => ({ form: { CallUUID: "the same", CallStatus: "in-progress" } });
  return { two: [event(), event()] };
};
