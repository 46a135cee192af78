import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. The signer adds their ids. */
export const hook0Consecutive: Consecutive = () => {
  const event = () => ({ json: { user: { id: "the same" } } });
  return { two: [event(), event()] };
};
