import type { Consecutive } from "./shapes/sample-event.ts";

/** Two blocks for which a filter returns the same. */
export const quicknodeConsecutive: Consecutive = () => ({
  two: [{ json: { found: true } }, { json: { found: true } }],
});
