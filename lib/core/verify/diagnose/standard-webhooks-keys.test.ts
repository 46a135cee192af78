/** Secrets that start with whsec_, which some decode and others use as text. */
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { body, seconds } from "./testing/test-delivery.ts";
import { diagnoseDelivery, nowMs } from "./testing/test-diagnosis-input.ts";

const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

function sign(signer: StandardWebhook): Record<string, string> {
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(seconds),
    "webhook-signature": signer.sign("msg_1", new Date(nowMs), body),
  };
}

describe("signed with the whole secret as text", () => {
  const headers = sign(new StandardWebhook(Buffer.from(key).toString("base64")));

  it.each(["standard-webhooks", "openai", "svix"])(
    "%s: the key isn't decoded, which doesn't make it Polar's",
    (provider) => {
      const { findings } = diagnoseDelivery({ provider, secret: key }, headers, body);
      expect(findings).toMatchObject([{ code: "secret_decoding" }]);
      expect(findings[0]?.sentence).toContain("as text, whole");
    },
  );

  it("Polar is named if the delivery says that it is from Polar", () => {
    const own = { ...headers, "user-agent": "polar.sh webhooks" };
    const hook = { provider: "standard-webhooks", secret: key };
    expect(diagnoseDelivery(hook, own, body).findings).toMatchObject([
      { code: "other_provider", fix: { provider: "polar" } },
    ]);
  });
});

describe("the secret of a Supabase Auth hook, saved as a bearer token", () => {
  const hook = { provider: "supabase", secret: `v1,${key}` };

  it("is the other provider's, which is one click", () => {
    const { verdict, findings } = diagnoseDelivery(hook, sign(new StandardWebhook(key)), body);
    expect(verdict).toBe("explained");
    expect(findings).toMatchObject([
      { code: "other_provider", fix: { provider: "supabase-auth" } },
    ]);
  });

  it("is pointed out without a signature to try", () => {
    const { findings } = diagnoseDelivery(hook, {}, body, { reason: "token_missing" });
    expect(findings.map(({ sentence }) => sentence).join(" ")).toContain("Supabase Auth hook");
  });
});
