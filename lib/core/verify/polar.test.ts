import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { schemeOf } from "./testing/scheme-of.ts";
import { requestOf } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const seconds = String(nowMs / 1000);
const whsec = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const text = '{"type":"order.paid"}';

function outcome(secret: string, headers: Record<string, string>, body = text) {
  const verdict = prepareVerifier({ scheme: schemeOf("polar"), secrets: [secret] })(
    requestOf(headers, body),
    nowMs,
  );
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("Polar's two keys", () => {
  const sign = (key: string | Buffer, sent = text) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${createHmac("sha256", key).update(`msg_1.${seconds}.${sent}`).digest("base64")}`,
  });

  it("a whsec_ secret verifies decoded, as new endpoints sign, and as text, as older ones do", () => {
    const isNew = {
      ...sign(""),
      "webhook-signature": new StandardWebhook(whsec).sign("msg_1", new Date(nowMs), text),
    };
    expect(outcome(whsec, isNew)).toBe("verified");
    expect(outcome(whsec, sign(whsec))).toBe("verified");
  });

  it("a secret that isn't base64 is used as text", () => {
    expect(outcome("polar_whs_a-b", sign("polar_whs_a-b"))).toBe("verified");
  });

  it.each([
    ["an empty key", ""],
    ["the prefix alone", "whsec_"],
    ["the secret without its prefix, as text", whsec.slice(6)],
    ["the whole secret, decoded", Buffer.from(whsec, "base64")],
    ["another secret", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
  ])("rejects a signature with %s", (_, key) => {
    expect(outcome(whsec, sign(key))).toBe("signature_mismatch");
  });

  it("rejects another body with either key", () => {
    const decoded = Buffer.from(whsec.slice(6), "base64");
    for (const key of [whsec, decoded])
      expect(outcome(whsec, sign(key), `${text} `)).toBe("signature_mismatch");
  });

  it.each(["", " "])("accepts nothing with the secret %j", (secret) => {
    expect(outcome(secret, sign(secret))).not.toBe("verified");
  });
});
