import { expect, test } from "vitest";
import { describeBucket, describeTick } from "./describe-bucket.ts";

const hour = 3_600_000;
const afternoon = Date.UTC(2026, 10, 22, 14);

test("a chart uses 24-hour time in every language", () => {
  expect(describeTick(afternoon, hour, "en-US", "UTC")).toBe("14:00");
  expect(describeTick(afternoon - 14 * hour, hour, "en-US", "UTC")).toBe("00:00");
  expect(describeBucket(afternoon, hour, "en-US", "UTC")).toMatch(/, 14:00 – 15:00$/);
});
