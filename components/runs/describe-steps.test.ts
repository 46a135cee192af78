import { expect, it } from "vitest";
import { describeHold, describeUnpublished } from "./describe-steps.ts";

it("a held run names exactly what holds it, and what releases it", () => {
  expect(describeHold("paused", true)).toBe(
    "The hook is paused. It runs automatically when the hook is resumed.",
  );
  expect(describeHold("pending", true)).toBe(
    "The hook is awaiting its signing secret. It runs automatically when the secret is added.",
  );
  expect(describeHold("active", false)).toBe(
    "Its action is disabled. It runs automatically when you enable the action.",
  );
  expect(describeHold("disabled", false)).toBe(
    "The hook is disabled, and its action is disabled. It runs " +
      "automatically when the hook is enabled and the action is enabled.",
  );
  expect(describeHold("active", true)).toBe("Nothing blocks it anymore. It runs in a moment.");
});

it("an accepted delivery that wasn't published says why, and others say nothing", () => {
  const facts = {
    status: "accepted",
    reason: "schema_mismatch",
    detail: "Not published as a.b. data.x: must be text.",
    verificationOutcome: "verified",
    verificationScheme: null,
    eventId: null,
    duplicateDiffers: false,
    bodySize: 0,
  } as const;
  expect(describeUnpublished(facts)).toEqual({
    sign: "failed",
    title: "Not published",
    text: facts.detail,
  });
  expect(describeUnpublished({ ...facts, reason: "sample" })).toMatchObject({ sign: "passed" });
  expect(describeUnpublished({ ...facts, reason: null, detail: null })).toBeNull();
  expect(describeUnpublished({ ...facts, status: "rejected" })).toBeNull();
});
