import { expect, it } from "vitest";
import { describeSpan, shortSpan } from "./describe-span.ts";

it.each([
  [0, "0 seconds", "0 s"],
  [1, "1 second", "1 s"],
  [59.6, "1 minute", "1 min"],
  [90, "90 seconds", "90 s"],
  [119, "119 seconds", "119 s"],
  [120, "2 minutes", "2 min"],
  [150, "3 minutes", "3 min"],
  [3_600, "1 hour", "1 h"],
  [5_400, "90 minutes", "90 min"],
  [86_400, "24 hours", "24 h"],
  [172_799, "48 hours", "48 h"],
  [172_800, "2 days", "2 days"],
  [-90, "90 seconds", "90 s"],
  [200_000_000, "2,315 days", "2,315 days"],
])("%d s is %s, or %s", (seconds, long, short) => {
  expect([describeSpan(seconds), shortSpan(seconds)]).toEqual([long, short]);
});
