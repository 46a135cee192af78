import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const awsSnsConsecutive: Consecutive = () => ({
  two: [{ json: { alarm: "cpu", state: "OK" } }, { json: { alarm: "cpu", state: "OK" } }],
});
