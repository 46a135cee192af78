import { expect, it } from "vitest";
import { verifyFailureReasons } from "#lib/core/verify/scheme/failure.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { describeOutcome, describeReason } from "./describe-delivery.ts";

it.each([...verifyFailureReasons, "invalid_json", "body_too_large", "method_not_allowed"])(
  "%s is explained in a sentence",
  (reason) => expect(describeReason(reason)).toMatch(/^[A-Z].{30,}\.$/),
);

it("an unknown reason is shown as is", () => {
  expect(describeReason("something_new")).toBe("something_new");
});

it.each(deliveryStatuses.filter((status) => status !== "accepted"))(
  "the result of a delivery that is %s is explained in a sentence",
  (status) =>
    expect(describeOutcome({ status, reason: "invalid_json", detail: null })).toMatch(
      /^[A-Z].{30,}\.$/,
    ),
);
