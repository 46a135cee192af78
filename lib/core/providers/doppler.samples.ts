import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const dopplerConsecutive: Consecutive = () => {
  const common = { type: "config.secrets.update" };
  return {
    two: [
      { json: { ...common, config: { name: "prd" } } },
      { json: { ...common, config: { name: "prd" } } },
    ],
  };
};
