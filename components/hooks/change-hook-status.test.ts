import { expect, test } from "vitest";
import { describeChange } from "./change-hook-status.ts";

const none = { count: 0, isMore: false };
const one = { count: 1, isMore: false };
const many = { count: 10_000, isMore: true };

test("a status change says what happens to runs", () => {
  expect(describeChange("active", "paused", none)).toContain("stored, and its actions wait.");
  expect(describeChange("active", "paused", one)).toContain("and 1 run waits.");
  expect(describeChange("active", "paused", many)).toContain("and more than 10,000 runs wait.");
  expect(describeChange("paused", "active", one)).toBe("is active again. 1 run continues.");
  expect(describeChange("paused", "active", many)).toBe(
    "is active again. More than 10,000 runs continue.",
  );
  expect(describeChange("disabled", "active", many)).toBe("accepts deliveries again.");
  expect(describeChange("active", "disabled", none)).toContain("410");
});
