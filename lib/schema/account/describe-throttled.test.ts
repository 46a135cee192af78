import { expect, test } from "vitest";
import { describeThrottled } from "./describe-throttled.ts";

test.each([
  [1, "1 second"],
  [89, "89 seconds"],
  [90, "90 seconds"],
  [121, "3 minutes"],
  [900, "15 minutes"],
])("a pause of %i s is %s", (seconds, wait) =>
  expect(describeThrottled(seconds)).toBe(`Too many attempts. Try again in ${wait}.`),
);
