import { expect, it } from "vitest";
import { describeHold, describeIdle } from "./describe-steps.ts";

it("a held run names exactly what holds it, and what lets it go", () => {
  expect(describeHold("paused", true)).toBe(
    "The hook is paused. It goes by itself once the hook is resumed.",
  );
  expect(describeHold("pending", true)).toBe(
    "The hook waits for its signing secret. It goes by itself once that is added.",
  );
  expect(describeHold("active", false)).toBe(
    "Its action is switched off. It goes by itself once that is switched on again.",
  );
  expect(describeHold("disabled", false)).toBe(
    "The hook is disabled, and its action is switched off. It goes by itself once the hook is enabled and the action is switched on again.",
  );
  expect(describeHold("active", true)).toBe("Nothing holds it any more: it goes in a moment.");
});

it("an action that made no run says why, and whether a replay runs it", () => {
  expect(describeIdle({ isOn: false, isYounger: true })).toBe("It is switched off.");
  expect(describeIdle({ isOn: true, isYounger: true })).toContain("younger");
  expect(describeIdle({ isOn: true, isYounger: false })).toContain("was switched off when this arrived");
});
