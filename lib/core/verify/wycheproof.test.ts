/**
 * Project Wycheproof's cases (https://github.com/C2SP/wycheproof, Apache-2.0) through our
 * verifiers: HMAC, Ed25519, ECDSA, and RSA. The vectors aren't in this repository; an environment
 * variable says where they are:
 *
 *    git clone https://github.com/C2SP/wycheproof
 *    WYCHEPROOF_VECTORS=wycheproof/testvectors_v1 npx vitest run --project unit
 *    lib/core/verify/wycheproof.test.ts
 *
 * `hostile-signatures.test.ts` makes the same kinds of signatures with its own keys, and always
 * runs.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { MacScheme, Scheme } from "./scheme/scheme.ts";
import { requestOf } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const folder = process.env.WYCHEPROOF_VECTORS ?? "";

type Group = {
  readonly tagSize?: number;
  readonly publicKeyPem?: string;
  readonly tests: readonly {
    readonly tcId: number;
    readonly comment: string;
    readonly flags: readonly string[];
    readonly key?: string;
    readonly msg: string;
    readonly tag?: string;
    readonly sig?: string;
    readonly result: "valid" | "acceptable" | "invalid";
  }[];
};

const parts: Pick<MacScheme, "encoding" | "signature" | "signed" | "secret"> = {
  encoding: "hex",
  signature: { sources: [{ from: "header", name: "x-signature" }], format: { type: "bare" } },
  signed: { template: "{body}" },
  secret: { decode: "hex" },
};
const hmac = (hash: "sha1" | "sha256" | "sha512"): Scheme => ({
  kind: "mac",
  mac: "hmac",
  hash,
  ...parts,
});
const publicKey = (algorithm: "ed25519" | "ecdsa-p256-sha256" | "rsa-sha256"): Scheme => ({
  kind: "publicKey",
  algorithm,
  ...parts,
});

const files: readonly (readonly [name: string, scheme: Scheme])[] = [
  ["hmac_sha1", hmac("sha1")],
  ["hmac_sha256", hmac("sha256")],
  ["hmac_sha512", hmac("sha512")],
  ["ed25519", publicKey("ed25519")],
  ["ecdsa_secp256r1_sha256", publicKey("ecdsa-p256-sha256")],
  ["rsa_signature_2048_sha256", publicKey("rsa-sha256")],
  ["rsa_signature_3072_sha256", publicKey("rsa-sha256")],
  ["rsa_signature_4096_sha256", publicKey("rsa-sha256")],
];

const fullTag = { sha1: 160, sha256: 256, sha384: 384, sha512: 512, md5: 128 } as const;

describe.skipIf(!existsSync(folder))("Wycheproof", () => {
  test.each(files)("%s", (name, scheme) => {
    const { testGroups } = JSON.parse(readFileSync(`${folder}/${name}_test.json`, "utf8"));
    let count = 0;
    for (const { tests, tagSize, publicKeyPem } of testGroups as Group[]) {
      // Wycheproof accepts a truncated tag; we never do.
      const isShort = scheme.kind === "mac" && tagSize !== fullTag[scheme.hash];
      for (const { tcId, comment, key, msg, tag, sig, result } of tests) {
        const verify = prepareVerifier({ scheme, secrets: [publicKeyPem ?? key ?? ""] });
        const request = requestOf({ "x-signature": tag ?? sig ?? "" }, Buffer.from(msg, "hex"));
        const { outcome } = verify(request, 0);
        count += 1;
        if (result === "acceptable") continue;
        const expected = result === "valid" && !isShort ? "verified" : "failed";
        expect([tcId, comment, outcome]).toEqual([tcId, comment, expected]);
      }
    }
    expect(count).toBeGreaterThan(100);
  });
});
