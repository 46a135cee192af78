import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const retellConsecutive: Consecutive = () => {
  const common = { call: { call_id: "c1" } };
  return {
    two: [
      { json: { ...common, event: "call_started" } },
      { json: { ...common, event: "call_ended" } },
    ],
  };
};
