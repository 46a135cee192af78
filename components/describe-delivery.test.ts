import { expect, it } from "vitest";
import { verifyFailureReasons } from "#lib/core/verify/failure.ts";
import { describeReason } from "./describe-delivery.ts";

it.each([...verifyFailureReasons, "invalid_json", "body_too_large", "method_not_allowed"])(
  "%s is told in a sentence",
  (reason) => expect(describeReason(reason)).toMatch(/^[A-Z].{30,}\.$/),
);

it("a reason that this version doesn't know is shown as it is", () => {
  expect(describeReason("something_new")).toBe("something_new");
});
