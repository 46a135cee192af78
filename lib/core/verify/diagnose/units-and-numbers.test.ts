/** Times in other units, Mailgun's forms, proxies that hide the URL, and rewritten numbers. */
import { createHmac, createSecretKey, generateKeyPairSync, hash, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signJwt } from "#lib/core/verify/jwt/jwt.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { requestOf, testUrl } from "#lib/core/verify/testing/test-request.ts";
import { diagnose } from "./diagnose.ts";
import { rewriteNumbers } from "./rewriting/rewrite-numbers.ts";
import {
  diagnoseDelivery,
  diagnosisInputOf,
  nowMs,
  schemeOf,
} from "./testing/test-diagnosis-input.ts";

const secret = "s3cret";
const seconds = nowMs / 1000;
const body = '{"id":"evt_1","amount":100}';

function mac(text: string, encoding: "hex" | "base64" = "hex"): string {
  return createHmac("sha256", secret).update(text).digest(encoding);
}

describe("milliseconds instead of seconds, and the other way round", () => {
  it("in a header of any name, with the change of the hook's scheme", () => {
    const timestamp = {
      source: { from: "header", name: "x-sent-at" },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    } as const;
    const scheme = { ...schemeOf("slack"), timestamp } as Scheme;
    const headers = {
      "x-slack-signature": `v0=${mac(`v0:${nowMs}:${body}`)}`,
      "x-sent-at": String(nowMs),
    };
    const { findings } = diagnoseDelivery({ provider: "custom", scheme, secret }, headers, body);
    expect(findings[0]).toMatchObject({
      code: "timestamp_unit",
      confidence: "certain",
      fix: { kind: "change_verification", verification: { timestamp: { unit: "ms" } } },
    });
  });

  it("with a public key", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const signature = sign(null, Buffer.from(`${nowMs}|${body}`), privateKey).toString("base64");
    const headers = { "telnyx-signature-ed25519": signature, "telnyx-timestamp": String(nowMs) };
    const { findings } = diagnoseDelivery({ provider: "telnyx", secret: pem }, headers, body);
    expect(findings[0]).toMatchObject({ code: "timestamp_unit", confidence: "certain" });
    expect(findings[0]?.sentence).toContain("its timestamp is in milliseconds instead of seconds");
  });

  it("if the provider signs one and sends the other", () => {
    const hook = { provider: "stripe", secret };
    const inMs = { "stripe-signature": `t=${nowMs},v1=${mac(`${seconds}.${body}`)}` };
    expect(diagnoseDelivery(hook, inMs, body).findings[0]).toMatchObject({
      code: "timestamp_unit",
      confidence: "certain",
    });
  });

  it("in a web token with a valid signature", () => {
    const token = signJwt("HS256", createSecretKey(Buffer.from(secret)), {
      iss: "netlify",
      iat: nowMs,
      sha256: hash("sha256", body),
    });
    const { verdict, findings } = diagnoseDelivery(
      { provider: "netlify", secret },
      { "x-webhook-signature": token },
      body,
    );
    expect(verdict).toBe("unexplained");
    expect(findings[0]).toMatchObject({ code: "timestamp_unit", confidence: "certain" });
    expect(findings[0]?.sentence).toContain("It is probably in milliseconds");
  });
});

it("Mailgun's forwarded messages are forms with the same fields", () => {
  const token = "c".repeat(50);
  const fields = {
    timestamp: String(seconds),
    token,
    signature: mac(seconds + token),
    attempt: "Hello",
    "body-plain": "Hi",
  };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const form = new URLSearchParams(fields).toString();
  const [finding] = diagnoseDelivery({ provider: "mailgun", secret }, headers, form).findings;
  expect(finding).toMatchObject({
    code: "body_form",
    confidence: "certain",
    fix: { kind: "change_verification" },
  });
  expect(finding?.sentence).toContain("Mailgun sends forwarded messages (inbound routes) as forms");
});

describe("a proxy that hides host and path", () => {
  const signed = "https://hooks.acme.example/webhooks/twilio?a=1";
  const hook = { provider: "hubspot", secret };
  const diagnoseUrl = (headers: Record<string, string>, url = signed) => {
    const signature = mac(`POST${url}${body}${nowMs}`, "base64");
    const all = {
      "x-hubspot-signature-v3": signature,
      "x-hubspot-request-timestamp": String(nowMs),
      ...headers,
    };
    const request = requestOf(all, body, { url: `${testUrl}?a=1`, query: "a=1" });
    return diagnose(diagnosisInputOf(hook, request)).findings[0];
  };

  it.each<Record<string, string>>([
    { "x-forwarded-host": "hooks.acme.example, inner", "x-original-uri": "/webhooks/twilio?a=1" },
    {
      forwarded: 'for=1.2.3.4;host="hooks.acme.example";proto=https',
      "x-forwarded-uri": "/webhooks/twilio",
    },
    { "x-original-url": signed },
    { host: "hooks.acme.example", "x-envoy-original-path": "/webhooks/twilio?a=1" },
  ])("its headers say what was called: %j", (headers) => {
    expect(diagnoseUrl(headers)).toMatchObject({ code: "url_differs", confidence: "certain" });
  });

  it("a removed path prefix", () => {
    const path = testUrl.replace("https://hooks.example", "");
    const url = `https://hooks.example/edge${path}?a=1`;
    expect(diagnoseUrl({ "x-forwarded-prefix": "/edge/" }, url)?.sentence).toContain(
      "X-Forwarded-Prefix",
    );
  });

  it("without such a header, the URL is suggested for comparison", () => {
    expect(diagnoseUrl({ via: "1.1 proxy" })).toMatchObject({
      code: "url_differs",
      confidence: "possible",
    });
  });
});

describe("rewritten numbers", () => {
  const hook = { provider: "github", secret };
  it.each([
    ['{"id":"e","amount":1.0,"n":2.0}', '{"id":"e","amount":1,"n":2}'],
    ['{"id":"e","amount":1.0,"n":2}', '{"id":"e","amount":1,"n":2}'],
    ['{"id":"e","amount":1e2}', '{"id":"e","amount":100}'],
    ['{"id":"e","amount":1E2,"n":7}', '{"id":"e","amount":100,"n":7}'],
    ['{"id":"e","amount":10.50,"n":7}', '{"id":"e","amount":10.5,"n":7}'],
    ['{"id":"e","amount":12.00,"n":7}', '{"id":"e","amount":12,"n":7}'],
    ['{"id":"e","amount":100}', '{"id":"e","amount":100.0}'],
    ['{"id":"e","amount":100}', '{"id":"e","amount":1e+2}'],
    ['{"id": "e", "amount": 1.0}', '{"id":"e","amount":1}'],
  ])("%s arrived as %s", (sent, arrived) => {
    const headers = { "x-hub-signature-256": `sha256=${mac(sent)}` };
    const { verdict, findings } = diagnoseDelivery(hook, headers, arrived);
    expect([verdict, findings[0]?.code, findings[0]?.confidence]).toEqual([
      "explained",
      "body_rewritten",
      "certain",
    ]);
    expect(findings[0]?.sentence).toMatch(/with (integers|numbers|round numbers)/);
  });

  it("digits inside strings are unchanged, and a body with thousands of numbers makes few variants", () => {
    for (const { text } of rewriteNumbers('{"a":"1 and 2","b":1}'))
      expect(text).toContain('"1 and 2"');
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index])),
    );
    expect([...rewriteNumbers(many)].length).toBeLessThan(200);
  });
});
