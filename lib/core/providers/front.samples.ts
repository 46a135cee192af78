import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const frontConsecutive: Consecutive = () => {
  const common = { type: "inbound" };
  return {
    two: [
      { json: { ...common, payload: { id: "evt_1", emitted_at: 1.001 } } },
      { json: { ...common, payload: { id: "evt_2", emitted_at: 1.002 } } },
    ],
  };
};
