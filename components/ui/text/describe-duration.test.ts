import { expect, test } from "vitest";
import { describeCountdown, describeDuration } from "./describe-duration.ts";

test("durations and waits use a suitable unit", () => {
  expect([3.4, 999, 1_240].map(describeDuration)).toEqual(["3 ms", "999 ms", "1.2 s"]);
  expect([-5, 4_200, 65_000, 7_200_000].map(describeCountdown)).toEqual([
    "0:00",
    "0:05",
    "1:05",
    "2:00:00",
  ]);
});
