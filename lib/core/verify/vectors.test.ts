import { describe, expect, it } from "vitest";
import { findProvider } from "./providers.ts";
import type { MacScheme, Scheme } from "./scheme.ts";
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

function hmacOfBody(name: string, encoding: "hex" | "base64", rest: Partial<MacScheme> = {}): MacScheme {
  return {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding,
    signature: { sources: [{ from: "header", name }], format: { type: "bare" } },
    signed: { template: "{body}" },
    secret: { decode: "utf8" },
    ...rest,
  };
}

/** Senders outside the catalogue, spelled out as a user would: they prove that the shape carries them. */
const spelledOut: Record<string, Scheme> = {
  line: hmacOfBody("x-line-signature", "base64"),
  square: hmacOfBody("x-square-hmacsha256-signature", "base64", { signed: { template: "{url}{body}" } }),
  circleci: hmacOfBody("circleci-signature", "hex", {
    signature: {
      sources: [{ from: "header", name: "circleci-signature" }],
      format: { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "v1" },
    },
  }),
  "hubspot v1": hmacOfBody("x-hubspot-signature", "hex", {
    mac: "digest",
    signed: { template: "{secret}{body}" },
  }),
  "hubspot v2": hmacOfBody("x-hubspot-signature", "hex", {
    mac: "digest",
    signed: { template: "{secret}{method}{url}{body}" },
  }),
  box: hmacOfBody("box-signature-primary", "base64", {
    signature: {
      sources: [
        { from: "header", name: "box-signature-primary" },
        { from: "header", name: "box-signature-secondary" },
      ],
      format: { type: "bare" },
    },
    signed: { template: "{body}{timestamp}" },
    timestamp: {
      source: { from: "header", name: "box-delivery-timestamp" },
      unit: "rfc3339",
      pastSeconds: 600,
      futureSeconds: 600,
    },
    requiredHeaders: [
      { name: "box-signature-version", value: "1" },
      { name: "box-signature-algorithm", value: "HmacSHA256" },
    ],
  }),
};

function verify(vector: Vector, body: string | Uint8Array = vector.body) {
  const { provider, secret = "", headers, at, url = "", method = "POST" } = vector;
  const known = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return verifySignature({
    name: provider,
    scheme: spelledOut[provider] ?? findProvider(provider)?.scheme,
    secrets: [secret],
    request: requestOf(Object.fromEntries(known), body, { url, method }),
    nowMs: at === undefined ? 0 : Date.parse(at),
  });
}

const macVectors = vectors.filter((vector) => vector.secret !== undefined);
const accepted = macVectors.filter((vector) => vector.valid !== false);

describe("published vectors", () => {
  it.each(accepted)("$provider: $name is accepted", (vector) => {
    expect(verify(vector)).toEqual({ outcome: "verified", scheme: vector.provider });
  });

  it.each(accepted)("$provider: $name with one bit of the body flipped is refused", (vector) => {
    const body = Buffer.from(vector.body);
    const altered = flipBit(body, Math.max(0, body.length * 8 - 1));
    expect(verify(vector, altered)).toMatchObject({ outcome: "failed", reason: "signature_mismatch" });
  });

  it.each(macVectors.filter((vector) => vector.valid === false))("$provider: $name is refused", (vector) => {
    expect(verify(vector).outcome).toBe("failed");
  });

  it("an ed25519 signature (v1a) never passes as v1, not even with the public key as the secret", () => {
    const vector = vectors.find((candidate) => candidate.provider.includes("v1a"));
    const secret = vector?.public_key?.replace("whpk_", "whsec_");
    if (vector === undefined || secret === undefined) throw new Error("the v1a vector is gone");
    expect(verify({ ...vector, provider: "standard-webhooks", secret })).toMatchObject({
      reason: "signature_malformed",
    });
  });
});
