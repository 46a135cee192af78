/** Providers that send one proof in several forms, or whose keys are shown in several. */
import { createHmac, createPublicKey, createSecretKey, hash } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { findHookReplayProtection } from "#lib/core/verify/hook/hook-verifier.ts";
import { signJwt } from "./jwt/jwt.ts";
import { checkSecret } from "./scheme/secret.ts";
import { outcomeOf } from "./testing/test-outcome.ts";
import { requestOf } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret } from "./testing/test-sample.ts";

const nowMs = Date.UTC(2026, 3, 13, 22, 50, 30);

function outcome(id: string, secret: string, headers: Record<string, string>, body: string) {
  const options = { keys: sampleKeys, secrets: [secret], atMs: nowMs };
  return outcomeOf(id, {}, requestOf(headers, body), options);
}

function mac(secret: string, text: string) {
  return createHmac("sha256", secret).update(text).digest("hex");
}

describe("LinkedIn", () => {
  const secret = "s3cret";
  const body = '{"type":"LEAD_ACTION"}';
  const send = (signature: string) =>
    outcome("linkedin", secret, { "x-li-signature": signature }, body);

  it("verifies the signature with and without hmacsha256= in front of it", () => {
    const signature = mac(secret, `hmacsha256=${body}`);
    expect([send(signature), send(`hmacsha256=${signature}`)]).toEqual(["verified", "verified"]);
  });

  it("rejects the MAC of the body alone, which a challenge's response could be", () => {
    expect([send(mac(secret, body)), send(`hmacsha256=${mac(secret, body)}`)]).toEqual([
      "signature_mismatch",
      "signature_mismatch",
    ]);
  });
});

describe("Klaviyo", () => {
  const body = JSON.stringify({
    meta: { timestamp: "2026-04-13T22:50:12.101159+00:00", klaviyo_webhook_id: "01K" },
    data: [{ external_id: "73W", topic: "event:klaviyo.opened_email" }],
  });
  const send = (sentAt: string, signedAt = sentAt) =>
    outcome(
      "klaviyo",
      "mysecret",
      { "klaviyo-signature": mac("mysecret", body + signedAt), "klaviyo-timestamp": sentAt },
      body,
    );

  it.each([
    ["five hours ahead of the clock", "Tue, 14 Apr 2026 03:50:12 GMT"],
    ["in the other format", "2026-04-13T22:49:36+00:00"],
  ])("verifies a delivery whose header is %s", (_what, sentAt) => {
    expect(send(sentAt)).toBe("verified");
  });

  it("rejects another time than the signed one", () => {
    expect(send("Mon, 13 Apr 2026 22:50:12 GMT", "Tue, 14 Apr 2026 03:50:12 GMT")).toBe(
      "signature_mismatch",
    );
  });

  it("a captured delivery that is sent again is a duplicate by default", () => {
    const hook = { provider: "klaviyo", verification: null };
    expect(findHookReplayProtection(hook)).toMatchObject({ isPossible: true, isOn: true });
  });
});

describe("LiveKit", () => {
  const body = '{"event":"room_started"}';
  const claims = { exp: nowMs / 1000 + 60, sha256: hash("sha256", body, "base64") };
  const token = signJwt("HS256", createSecretKey(Buffer.from("s3cret")), claims);
  const send = (authorization: string) => outcome("livekit", "s3cret", { authorization }, body);

  it("verifies the bare token, and the token after the word Bearer", () => {
    expect([token, `Bearer ${token}`, `bearer  ${token}`].map(send)).toEqual([
      "verified",
      "verified",
      "verified",
    ]);
  });

  it.each(["Basic ", "Bearer Bearer ", "Bearer"])(
    "rejects other words in front of it: %j",
    (word) => {
      expect(send(word + token)).toBe("signature_malformed");
    },
  );
});

describe.each(["kick", "wise"])("%s", (id) => {
  const scheme = findProvider(id)?.scheme;
  if (scheme?.kind !== "publicKey") throw new Error(`${id} has no public key`);
  const { signing } = sampleSecret(scheme, id);
  const key = createPublicKey(signing);
  const pem = key.export({ type: "pkcs1", format: "pem" }).toString();
  const base64 = key.export({ type: "pkcs1", format: "der" }).toString("base64");

  it("takes the public key as PKCS#1 too, in PEM or base64", () => {
    expect(pem).toContain("-----BEGIN RSA PUBLIC KEY-----");
    const request = sampleRequest(scheme, signing, nowMs);
    for (const pasted of [pem, base64]) {
      expect(checkSecret(scheme, pasted)).toEqual({ ok: true, warnings: [] });
      const options = { keys: sampleKeys, secrets: [pasted], atMs: nowMs };
      expect(outcomeOf(id, {}, request, options)).toBe("verified");
    }
  });

  it("rejects PEM whose first and last line differ", () => {
    const mixed = pem.replace("END RSA PUBLIC", "END PUBLIC");
    expect(checkSecret(scheme, mixed).ok).toBe(false);
  });
});

describe("the secret of a Supabase Auth hook", () => {
  const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const check = (id: string, secret: string) => {
    const provider = findProvider(id);
    if (provider === undefined) throw new Error(`no provider ${id}`);
    const result = checkSecret(provider, secret);
    return result.ok ? "" : result.message;
  };

  it("is refused as the token of a database webhook, with the provider to choose", () => {
    for (const secret of [`v1,whsec_${key}`, ` v1,whsec_${key}`, `whsec_${key}`])
      expect(check("supabase", secret)).toContain("Choose the provider Supabase Auth hooks");
    expect(check("supabase", "a long random value")).toBe("");
  });

  it("verifies as Standard Webhooks without v1, in front, which the message says", () => {
    expect(check("standard-webhooks", `v1,whsec_${key}`)).toContain("Paste it from whsec_ on");
    const body = '{"user":{},"sms":{"otp":"1"}}';
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(nowMs / 1000),
      "webhook-signature": new StandardWebhook(`whsec_${key}`).sign("msg_1", new Date(nowMs), body),
    };
    expect(outcome("standard-webhooks", `whsec_${key}`, headers, body)).toBe("verified");
    expect(outcome("supabase-auth", `v1,whsec_${key}`, headers, body)).toBe("verified");
  });
});
