/**
 * Compares code schemes with the providers' own packages: we accept and sign exactly what they do.
 */

import { createPublicKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { buildHandshakeResponse } from "#lib/core/verify/handshake/handshake-response.ts";
import { takesSecret } from "./scheme/missing-parts.ts";
import type { Scheme } from "./scheme/scheme.ts";
import { braintreeOf, type CodeDelivery, codeProviderPackages } from "./testing/code-packages.ts";
import { schemeOf } from "./testing/scheme-of.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = Date.now();

function outcome(id: string, { url, headers, text, secret, settings }: CodeDelivery): string {
  const scheme = schemeOf(id);
  const verify = prepareVerifier({
    name: id,
    scheme,
    secrets: takesSecret(scheme) ? [secret] : [],
    settings,
  });
  const verdict = verify(
    requestOf(headers, text, { url, query: url.split("?")[1] ?? "" }),
    nowMs,
    sampleKeys,
  );
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

/** The package's result, as a promise, a boolean, or an exception. */
async function accepts(id: string, delivery: CodeDelivery): Promise<boolean> {
  try {
    return (await codeProviderPackages[id]?.accepts(delivery)) !== false;
  } catch {
    return false;
  }
}

/** A public key goes to the package as PEM, the only way it accepts. */
function pastedOrPublic(id: string, scheme: Scheme): string {
  return takesSecret(scheme) ? sampleSecret(scheme, id).pasted : publicKeyOf(id, scheme);
}

function publicKeyOf(id: string, scheme: Scheme): string {
  const { signing } = sampleSecret(scheme, id);
  return createPublicKey(signing).export({ type: "spki", format: "pem" }).toString();
}

describe.each(Object.entries(codeProviderPackages))("%s", (id, { name, signs, altered }) => {
  const scheme = schemeOf(id);
  const settings = sampleSettings(scheme);
  const secret = pastedOrPublic(id, scheme);

  async function expectOnlyThis(delivery: CodeDelivery): Promise<void> {
    const other = { ...delivery, ...altered(delivery) };
    expect([await accepts(id, delivery), outcome(id, delivery)]).toEqual([true, "verified"]);
    expect(await accepts(id, other)).toBe(false);
    expect(outcome(id, other)).toMatch(/_(mismatch|malformed)$/);
  }

  it(`what we sign ${name} accepts and we verify; if changed, neither does`, async () => {
    const { signing } = sampleSecret(scheme, id);
    const { url, headers, body } = sampleRequest(scheme, signing, nowMs, "Zoe");
    const text = Buffer.from(body).toString("utf8");
    await expectOnlyThis({ url, headers: firstOf(headers), text, secret, settings });
  });

  if (signs !== undefined) {
    it(`what ${name} signs is verified; if changed, it isn't`, async () => {
      const { signing } = sampleSecret(scheme, id);
      const text = Buffer.from(sampleRequest(scheme, signing, nowMs, "Zoe").body).toString("utf8");
      const { url, headers, body } = signs(secret, settings, testUrl, text);
      await expectOnlyThis({
        url,
        headers,
        text: Buffer.from(body).toString("utf8"),
        secret,
        settings,
      });
    });
  }
});

function firstOf(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, [value = ""] = []]) => [name, value]),
  );
}

it("braintree: its challenge gets the same response as from its package", () => {
  const scheme = schemeOf("braintree");
  if (scheme.kind !== "code") throw new Error("braintree is no code");
  const settings = sampleSettings(scheme);
  const challenge = "20f9f8ed05f77439fe955c977e4c8a53";
  const key = scheme.toKeyBytes?.("private") ?? null;
  const request = { method: "GET", query: `bt_challenge=${challenge}`, headers: {}, payload: null };
  const [handshake] = findProvider("braintree")?.handshakes ?? [];
  if (handshake === undefined) throw new Error("no handshake");
  const outcome = buildHandshakeResponse(handshake, request, {
    verifyToken: "",
    catchUrl: "",
    key,
    settings,
  });
  const body = braintreeOf("private", settings).webhookNotification.verify(challenge);
  expect(outcome).toMatchObject({ response: { body } });
});
