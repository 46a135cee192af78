import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const msTeamsConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    json: { conversation: { id: "the same" }, id: fresh.uuid(), type: "example.updated" },
  });
  return { two: [event(), event()] };
};
