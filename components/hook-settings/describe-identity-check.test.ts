import { expect, test } from "vitest";
import { describeIdentityCheck } from "./describe-identity-check.ts";

const rule = { from: "body", path: "id" } as const;
const check = { checked: 20, without: 0, repeated: 0, examples: [] };

test("the effect of a rule on the latest deliveries is described", () => {
  expect(describeIdentityCheck("dedupe", { ...check, without: 3 }, rule)).toBe(
    "3 of the last 20 deliveries don't have the body's field id: each of those counts as a new event.",
  );
  expect(
    describeIdentityCheck("dedupe", { ...check, repeated: 1, examples: ["evt_1"] }, rule),
  ).toBe("All of the last 20 deliveries have it. 1 repeats another one. Found: evt_1.");
  expect(describeIdentityCheck("dedupe", { ...check, checked: 1 }, rule)).toBe(
    "The last delivery has it.",
  );
  expect(describeIdentityCheck("eventType", { ...check, without: 1 }, rule)).toContain(
    "those have no event type",
  );
  expect(describeIdentityCheck("dedupe", check, null)).toContain("None of the last 20");
  expect(describeIdentityCheck("eventType", { ...check, checked: 0 }, rule)).toContain(
    "No deliveries yet",
  );
});

test("foreign values are shown with invisible characters", () => {
  expect(describeIdentityCheck("dedupe", { ...check, examples: ["a\u202eb"] }, rule)).toContain(
    "a\\u{202e}b",
  );
});
