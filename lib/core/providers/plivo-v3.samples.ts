import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const plivoV3Consecutive: Consecutive = () => {
  const event = () => ({ form: { CallUUID: "the same", CallStatus: "in-progress" } });
  return { two: [event(), event()] };
};
