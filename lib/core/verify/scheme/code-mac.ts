/** The common part of code schemes that use a MAC. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { CodeOptions, CodeScheme, SignedText } from "./code-scheme.ts";
import { decodeCanonical } from "./encoding.ts";
import { fail, type VerifyFailure } from "./failure.ts";
import { readHeader, type VerifyRequest } from "./request-view.ts";

/** The keys of the usable secrets. Null if there are none. */
export function toKeys(
  secrets: readonly string[],
  decode: (secret: string) => Uint8Array | null = (secret) => Buffer.from(secret, "utf8"),
): readonly KeyObject[] | null {
  const keys = secrets.flatMap((secret) => {
    const bytes = decode(secret);
    return bytes === null || bytes.length === 0 ? [] : [createSecretKey(bytes)];
  });
  return keys.length === 0 ? null : keys;
}

type HeaderCheck = Pick<CodeOptions, "settings" | "toleranceSeconds"> & {
  readonly keys: readonly KeyObject[];
  readonly request: VerifyRequest;
  readonly nowMs: number;
};

/**
 * Prepares a scheme whose keys are the text of its secrets, and whose signature is in a header that comes once.
 *
 * @param verify gets the header's value
 */
export function withOneHeader(
  header: string,
  verify: (value: string, check: HeaderCheck) => VerifyFailure | SignedText | null,
): CodeScheme["prepare"] {
  return ({ secrets, settings, toleranceSeconds }) => {
    const keys = toKeys(secrets);
    if (keys === null) return null;
    return (request, nowMs) => {
      const reading = readHeader(request.headers, header);
      if (reading.found === "none") return fail("signature_missing", `the header ${header}`);
      if (reading.found === "many") return fail("header_repeated", `the header ${header}`);
      return verify(reading.value, { keys, request, nowMs, settings, toleranceSeconds });
    };
  };
}

const hashBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;
type MacHash = keyof typeof hashBytes;

export function computeHmac(
  hash: MacHash,
  key: KeyObject | string,
  text: string | Uint8Array,
): Buffer {
  return createHmac(hash, key).update(text).digest();
}

/** True if any signature matches any text with any key. Compares all. */
export function hasMac(
  hash: MacHash,
  keys: readonly KeyObject[],
  texts: readonly (string | Uint8Array)[],
  signatures: readonly Buffer[],
): boolean {
  let isMatch = false;
  for (const key of keys) {
    for (const text of texts) {
      const expected = computeHmac(hash, key, text);
      for (const signature of signatures) {
        if (signature.length === expected.length && timingSafeEqual(signature, expected))
          isMatch = true;
      }
    }
  }
  return isMatch;
}

export function decodeMac(text: string, hash: MacHash, encoding: "hex" | "base64"): Buffer | null {
  if (text.length > hashBytes[hash] * 2) return null;
  const bytes = decodeCanonical(text, encoding);
  return bytes?.length === hashBytes[hash] ? bytes : null;
}
