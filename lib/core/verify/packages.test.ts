/**
 * Tests with the providers' own packages: they sign and we verify, or the other way round. With a
 * changed byte neither passes.
 */

import { describe, expect, it } from "vitest";
import { signRequest } from "./sign.ts";
import type { Headers } from "./testing/provider-package.ts";
import { schemeOf } from "./testing/scheme-of.ts";
import { packageText, providerPackages } from "./testing/test-packages.ts";
import { flipBit, requestOf } from "./testing/test-request.ts";
import { sampleSecret } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = Date.now();
const text = packageText(nowMs);
const body = Buffer.from(text);

function verify(id: string, secret: string, headers: Headers, bytes: Uint8Array = body) {
  return prepareVerifier({ name: id, scheme: schemeOf(id), secrets: [secret] })(
    requestOf(headers, bytes),
    nowMs,
  );
}

function expectOnlyExactBytes(id: string, secret: string, headers: Headers) {
  expect(verify(id, secret, headers)).toEqual({ outcome: "verified", scheme: id });
  const reason = { outcome: "failed", reason: "signature_mismatch" };
  expect(verify(id, secret, headers, flipBit(body, 77))).toMatchObject(reason);
  expect(verify(id, secret, headers, Buffer.concat([body, Buffer.from("\n")]))).toMatchObject(
    reason,
  );
}

/** The package's result, as a promise, a boolean, or an exception. */
async function accepts(check: () => unknown): Promise<boolean> {
  try {
    return (await check()) !== false;
  } catch {
    return false;
  }
}

describe.each(Object.entries(providerPackages))("%s", (id, { name, accepts: check, signs }) => {
  const { signing, pasted } = sampleSecret(schemeOf(id), id);

  if (check !== undefined) {
    it(`what we sign ${name} verifies, and with a byte changed it doesn't`, async () => {
      const headers = signRequest(schemeOf(id), signing, { body, timestampMs: nowMs, id: "msg_1" });
      const altered = text.replace("evt_1", "evt_2");
      const request = { headers, secret: pasted, nowMs };
      expect(await accepts(() => check({ ...request, text }))).toBe(true);
      expect(await accepts(() => check({ ...request, text: altered }))).toBe(false);
      expectOnlyExactBytes(id, pasted, headers);
    });
  }

  if (signs !== undefined) {
    it(`what ${name} signs is verified, and with a byte changed it isn't`, async () => {
      expectOnlyExactBytes(id, pasted, await signs({ text, secret: pasted, nowMs }));
    });
  }
});

it("shopify: both header families are accepted", () => {
  const { signing, pasted } = sampleSecret(schemeOf("shopify"), "shopify");
  const headers = signRequest(schemeOf("shopify"), signing, { body, timestampMs: nowMs });
  const hmac = headers["x-shopify-hmac-sha256"] ?? "";
  expectOnlyExactBytes("shopify", pasted, { "shopify-hmac-sha256": hmac });
});

it("a body that isn't UTF-8 is verified by its bytes, which the package of Standard Webhooks can't", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x80]);
  const { signing, pasted } = sampleSecret(schemeOf("standard-webhooks"), "bytes");
  const input = { body: bytes, timestampMs: nowMs, id: "msg_1" };
  const headers = signRequest(schemeOf("standard-webhooks"), signing, input);
  expect(verify("standard-webhooks", pasted, headers, bytes).outcome).toBe("verified");
});
