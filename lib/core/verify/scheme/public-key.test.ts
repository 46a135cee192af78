import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { flipBit, requestOf } from "#lib/core/verify/testing/test-request.ts";
import { sampleRequest, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { checkSecret } from "./secret.ts";

const nowMs = 1_700_000_000_000;

function schemeOf(id: string) {
  const provider = findProvider(id);
  if (provider?.scheme.kind !== "publicKey") throw new Error(`${id} has no public key`);
  return provider.scheme;
}

const raw = generateKeyPairSync("ed25519")
  .publicKey.export({ type: "spki", format: "der" })
  .subarray(-32);
const spki = (pem: string) => pem.replaceAll(/-----[A-Z ]+-----|\n/g, "");

describe("a public key is accepted", () => {
  it("as the provider shows it: 32 bytes in hex or base64, SPKI in base64, or PEM", () => {
    expect(checkSecret(schemeOf("discord"), raw.toString("hex"))).toEqual({
      ok: true,
      warnings: [],
    });
    expect(checkSecret(schemeOf("telnyx"), raw.toString("base64")).ok).toBe(true);
    for (const id of ["telnyx", "sendgrid", "wise"]) {
      const { pasted } = sampleSecret(schemeOf(id), id);
      expect([id, checkSecret(schemeOf(id), pasted).ok]).toEqual([id, true]);
      expect([id, checkSecret(schemeOf(id), spki(pasted)).ok]).toEqual([id, true]);
    }
  });

  it.each([
    ["discord", raw.subarray(1).toString("hex")],
    ["discord", raw.toString("base64")],
    ["telnyx", sampleSecret(schemeOf("sendgrid"), "").pasted],
    ["sendgrid", sampleSecret(schemeOf("wise"), "").pasted],
    ["wise", sampleSecret(schemeOf("telnyx"), "").pasted],
    ["wise", sampleSecret(schemeOf("wise"), "").signing],
    ["wise", weakRsa()],
    ["sendgrid", otherCurve()],
    ["sendgrid", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"],
    ["discord", ""],
  ])("%s: and refused with words where it is none of the right kind", (id, pasted) => {
    const result = checkSecret(schemeOf(id), pasted);
    expect(result.ok ? "taken" : result.message).toMatch(
      /^(This is not a public key for|The secret is (empty|a private key))/,
    );
    const verify = prepareVerifier({ scheme: schemeOf(id), secrets: [pasted] });
    const verdict = verify(requestOf({}, ""), nowMs);
    expect(verdict.outcome === "failed" ? verdict.reason : "").toMatch(/^secret_/);
  });
});

describe.each(["discord", "telnyx", "sendgrid", "wise", "kick"])("%s", (id) => {
  const scheme = schemeOf(id);
  const { signing, pasted } = sampleSecret(scheme, id);
  const verify = prepareVerifier({
    scheme,
    secrets: [spki(sampleSecret(schemeOf("telnyx"), "").pasted), pasted],
  });
  const request = sampleRequest(scheme, signing, nowMs);
  const source = scheme.signature.sources[0];
  const name = source?.from === "header" ? source.name : "";

  it("no other bytes pass as a signature, and none throws", () => {
    const signature = Buffer.from(request.headers[name]?.[0] ?? "", scheme.encoding);
    const changed = fc.oneof(
      fc.nat().map((bit) => flipBit(signature, bit)),
      fc.nat({ max: signature.length - 1 }).map((length) => signature.subarray(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 80 }),
    );
    fc.assert(
      fc.property(changed, (bytes) => {
        const headers = {
          ...request.headers,
          [name]: [Buffer.from(bytes).toString(scheme.encoding)],
        };
        expect(verify({ ...request, headers }, nowMs).outcome).toBe("failed");
      }),
      { numRuns: 60 },
    );
    expect(verify(request, nowMs).outcome).toBe("verified");
  });

  it("a signature of a megabyte is rejected without reading it", () => {
    const headers = { ...request.headers, [name]: ["A".repeat(1_000_000)] };
    expect(verify({ ...request, headers }, nowMs)).toMatchObject({ reason: "signature_malformed" });
  });
});

function weakRsa(): string {
  return generateKeyPairSync("rsa", { modulusLength: 1024 })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
}

function otherCurve(): string {
  return generateKeyPairSync("ec", { namedCurve: "P-384" })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
}
