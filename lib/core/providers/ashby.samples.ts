import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const ashbyConsecutive: Consecutive = () => {
  const common = { action: "applicationUpdate", data: { application: { id: "a1" } } };
  return {
    two: [{ json: { ...common, stage: "screen" } }, { json: { ...common, stage: "offer" } }],
  };
};
