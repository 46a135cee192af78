import { describe, expect, it } from "vitest";
import type { HookVerification } from "#lib/schema/receive/verification.ts";
import {
  isComplete,
  requireUsableSecret,
  requireVerification,
  type VerificationRule,
  warnAboutMissingPart,
} from "./hook-rules.ts";

const settings = (values: Record<string, string>): HookVerification => ({ settings: values });
const topicArn = "arn:aws:sns:us-east-1:123456789012:orders";

/** The API's error message. Null: no problem. */
function problem(rule: VerificationRule): string | null {
  try {
    requireVerification(rule);
    return null;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

describe("what a provider needs besides the secret", () => {
  it("is accepted if the provider declares it, may come later, and is rejected by name if it is wrong", () => {
    expect(problem({ provider: "aws-sns", verification: settings({ topicArn }) })).toBeNull();
    expect(problem({ provider: "aws-sns", verification: null })).toBeNull();
    expect(
      problem({ provider: "aws-sns", verification: settings({ topicArn: "orders" }) }),
    ).toContain("verification.settings.topicArn: must look like arn:aws:sns:");
    expect(problem({ provider: "aws-sns", verification: settings({ topic: topicArn }) })).toContain(
      "verification.settings.topic: is unknown: use topicArn",
    );
  });

  it("is rejected if the provider declares nothing, and is no scheme for a custom hook", () => {
    for (const provider of ["stripe", "generic"])
      expect(problem({ provider, verification: settings({ topicArn }) })).toContain(
        "doesn't apply",
      );
    expect(problem({ provider: "stripe", verification: settings({}) })).toBeNull();
    expect(problem({ provider: "custom", verification: settings({ topicArn }) })).toContain(
      "describe a scheme",
    );
    expect(problem({ provider: "aws-sns", verification: { kind: "bearer" } })).toContain(
      "must be left out",
    );
  });

  it("causes a warning while it is missing, after the secret", () => {
    const warn = (rule: VerificationRule, hasSecret: boolean) =>
      warnAboutMissingPart(rule, { hasSecret, isPending: false });
    expect(warn({ provider: "aws-sns", verification: null }, false)).toContain(
      "verification.settings.topicArn (Topic ARN)",
    );
    expect(warn({ provider: "braintree", verification: null }, false)).toContain(
      "no signing secret",
    );
    expect(warn({ provider: "braintree", verification: null }, true)).toContain("publicKey");
    expect(isComplete({ provider: "aws-sns", verification: settings({ topicArn }) }, false)).toBe(
      true,
    );
  });

  it("rejects a secret if the provider shares none", () => {
    const rule = { provider: "aws-sns", verification: settings({ topicArn }) };
    expect(() => requireUsableSecret(rule, "s3cret", "signingSecret")).toThrow(/Remove the secret/);
  });
});
