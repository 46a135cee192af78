import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const planetscaleConsecutive: Consecutive = (fresh) => {
  const common = { event: "branch.ready", database: "d" };
  return {
    two: [
      { json: { ...common, timestamp: fresh.seconds } },
      { json: { ...common, timestamp: fresh.seconds + 1 } },
    ],
  };
};
