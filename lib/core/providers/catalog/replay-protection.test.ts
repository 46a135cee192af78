import { describe, expect, it } from "vitest";
import {
  sampleKeys,
  sampleRequest,
  sampleSecret,
  sampleSettings,
} from "#lib/core/verify/testing/test-sample.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { listProviders } from "./catalog.ts";
import { findReplayProtection } from "./replay-protection.ts";

const nowMs = 1_700_000_000_000;

function hashSigned(
  { id, scheme }: ReturnType<typeof listProviders>[number],
  change: { readonly headers?: Record<string, string[]>; readonly sentMs?: number } = {},
) {
  const { signing, pasted } = sampleSecret(scheme, id);
  const settings = sampleSettings(scheme);
  const verify = prepareVerifier({ scheme, secrets: [pasted], settings, tellsSigned: true });
  const request = sampleRequest(scheme, signing, change.sentMs ?? nowMs);
  const headers = { ...request.headers, ...change.headers };
  const verdict = verify({ ...request, headers }, nowMs, sampleKeys);
  if (verdict.outcome !== "verified") throw new Error(`${id}: ${JSON.stringify(verdict)}`);
  return verdict.hashSigned?.().toString("hex");
}

const possible = listProviders().filter((provider) => findReplayProtection(provider).isPossible);

describe.each(possible.map((provider) => [provider.id, provider] as const))(
  "%s",
  (_id, provider) => {
    it("the same signed text has the same hash, whatever else is sent", () => {
      const hash = hashSigned(provider);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(
        hashSigned(provider, { headers: { "x-unsigned": ["1"], "x-github-delivery": ["2"] } }),
      ).toBe(hash);
    });
  },
);

it("if it is on by default, a retry of the same event is signed differently", () => {
  const isOn = possible.filter((provider) => {
    const found = findReplayProtection(provider);
    // If only a unique id or token is signed, use the sample's, which is always the same.
    return found.isPossible && found.isOn && found.why.includes("time");
  });
  expect(isOn.length).toBeGreaterThan(20);
  for (const provider of isOn) {
    expect([provider.id, hashSigned(provider, { sentMs: nowMs - 1_000 })]).not.toEqual([
      provider.id,
      hashSigned(provider),
    ]);
  }
});

it("costs nothing if it isn't requested", () => {
  for (const { id, scheme } of possible) {
    const { signing, pasted } = sampleSecret(scheme, id);
    const verify = prepareVerifier({ scheme, secrets: [pasted], settings: sampleSettings(scheme) });
    expect(verify(sampleRequest(scheme, signing, nowMs), nowMs, sampleKeys)).not.toHaveProperty(
      "hashSigned",
    );
  }
});

it.each([
  ["github", { isPossible: true, isOn: false }],
  ["shopify", { isPossible: true, isOn: false }],
  ["zendesk", { isPossible: true, isOn: false }],
  ["stripe", { isPossible: true, isOn: true }],
  ["linear", { isPossible: true, isOn: true }],
  ["mailgun", { isPossible: true, isOn: true }],
  ["standard-webhooks", { isPossible: true, isOn: true }],
  ["twilio", { isPossible: true, isOn: false }],
  ["gitlab", { isPossible: false }],
  ["basic-auth", { isPossible: false }],
])("%s", (id, expected) => {
  const provider = listProviders().find((known) => known.id === id);
  expect(provider && findReplayProtection(provider)).toMatchObject(expected);
});
