import { expect, test } from "vitest";
import { describeSpan } from "./describe-span.ts";

test.each([
  [-5, "less than a minute"],
  [59_999, "less than a minute"],
  [60_000, "1 min"],
  [3_599_999, "59 min"],
  [86_399_000, "23 h"],
  [172_800_000, "2 days"],
  [7 * 86_400_000 - 20_000, "7 days"],
  [6 * 86_400_000 + 3_600_000, "6 days"],
])("%d ms is %s", (ms, words) => {
  expect(describeSpan(ms)).toBe(words);
});
