import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const grafanaConsecutive: Consecutive = () => {
  const common = { status: "firing", groupKey: "{}" };
  return {
    two: [
      { json: { ...common, alerts: [{ fingerprint: "a" }] } },
      { json: { ...common, alerts: [{ fingerprint: "a" }] } },
    ],
  };
};
