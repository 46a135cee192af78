import { expect, test } from "vitest";
import { describeVerified } from "./describe-verified.ts";

const none = { accepted: 0, duplicate: 0, rejected: 0, pending: 0 };

test("the result of verifying pending deliveries is described; a secret that matches none is an error", () => {
  expect(describeVerified({ ...none, accepted: 2, rejected: 1 })).toEqual({
    words: "Verified: 2 accepted, 1 rejected.",
    isDone: true,
  });
  expect(describeVerified({ ...none, pending: 1 }).isDone).toBe(false);
  expect(describeVerified({ ...none, pending: 1 }).words).toContain(
    "None of 1 delivery was signed",
  );
  expect(describeVerified({ ...none, accepted: 1, duplicate: 1, pending: 3 }).words).toBe(
    "Verified: 1 accepted, 1 duplicate, 3 still pending.",
  );
  expect(describeVerified(none).words).toBe("There are no deliveries left to verify.");
});
