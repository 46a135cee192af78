import { expect, it } from "vitest";
import { describeVerifyFailure, verifyFailureReasons } from "./failure.ts";

it("every reason has text that ends with a period and contains only the scheme's own names", () => {
  for (const reason of verifyFailureReasons) {
    const text = describeVerifyFailure(reason, {
      subject: "the header x-sig",
      skewSeconds: 400_000,
    });
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toMatch(/undefined|null/);
  }
  expect(
    describeVerifyFailure("timestamp_too_old", { subject: "the header x-t", skewSeconds: 600 }),
  ).toContain("10 min");
});
