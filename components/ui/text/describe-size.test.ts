import { expect, test } from "vitest";
import { describeCountdown, describeDuration, describeSize } from "./describe-size.ts";

test("sizes, durations, and waits use a suitable unit", () => {
  expect([0, 1, 1023, 1024, 1229, 10_240, 10_485_760].map(describeSize)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1 KiB",
    "1.2 KiB",
    "10 KiB",
    "10 MiB",
  ]);
  expect([3.4, 999, 1_240].map(describeDuration)).toEqual(["3 ms", "999 ms", "1.2 s"]);
  expect([-5, 4_200, 65_000, 7_200_000].map(describeCountdown)).toEqual([
    "0:00",
    "0:05",
    "1:05",
    "2:00:00",
  ]);
});
