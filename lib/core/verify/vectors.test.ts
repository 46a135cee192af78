import { describe, expect, it } from "vitest";
import { findProvider } from "./providers.ts";
import { flipBit, requestOf } from "./test-request.ts";
import vectorFile from "./vectors.json" with { type: "json" };
import { verifySignature } from "./verify.ts";

type Vector = {
  provider: string;
  name: string;
  source: string;
  secret?: string;
  public_key?: string;
  headers: Record<string, string | undefined>;
  body: string;
  at?: string;
  url?: string;
  method?: string;
  valid?: boolean;
};

const vectors: Vector[] = vectorFile.vectors;

/** The vectors carry no version header, which the catalogue demands so that v1 is not taken for v2. */
const withVersion: Record<string, string> = { "hubspot-v1": "v1", "hubspot-v2": "v2" };

function verify(vector: Vector, body: string | Uint8Array = vector.body) {
  const { provider, secret = "", public_key: publicKey, headers, at, url = "", method = "POST" } = vector;
  const version = withVersion[provider];
  const all = version === undefined ? headers : { ...headers, "x-hubspot-signature-version": version };
  const known = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return verifySignature({
    name: provider,
    scheme: findProvider(provider)?.scheme,
    secrets: [publicKey ?? secret],
    request: requestOf(Object.fromEntries(known), body, { url, method }),
    nowMs: at === undefined ? 0 : Date.parse(at),
  });
}

const accepted = vectors.filter((vector) => vector.valid !== false);

describe("published vectors", () => {
  it.each(accepted)("$provider: $name is accepted", (vector) => {
    expect(verify(vector)).toEqual({ outcome: "verified", scheme: vector.provider });
  });

  it.each(accepted)("$provider: $name with one bit of the body flipped is refused", (vector) => {
    const body = Buffer.from(vector.body);
    const altered = flipBit(body, Math.max(0, body.length * 8 - 1));
    expect(verify(vector, altered)).toMatchObject({ outcome: "failed", reason: "signature_mismatch" });
  });

  it.each(vectors.filter((vector) => vector.valid === false))("$provider: $name is refused", (vector) => {
    expect(verify(vector).outcome).toBe("failed");
  });

  it("an ed25519 signature (v1a) never passes as v1, not even with the public key as the secret", () => {
    const vector = vectors.find((candidate) => candidate.provider.includes("ed25519"));
    const secret = vector?.public_key?.replace("whpk_", "whsec_");
    if (vector === undefined || secret === undefined) throw new Error("the v1a vector is gone");
    const { public_key: _key, ...rest } = vector;
    expect(verify({ ...rest, provider: "standard-webhooks", secret })).toMatchObject({
      reason: "signature_malformed",
    });
  });
});
