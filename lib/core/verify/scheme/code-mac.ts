/** The common part of code schemes that use a MAC. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { decodeCanonical } from "./encoding.ts";
import { fail, type VerifyFailure } from "./failure.ts";
import type { Reading } from "./request-view.ts";

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

/** Decodes a value that is a single signature. */
export function readMac(
  reading: Reading,
  subject: string,
  hash: MacHash,
  encoding: "hex" | "base64",
): Buffer | VerifyFailure {
  if (reading.found === "none") return fail("signature_missing", subject);
  if (reading.found === "many") return fail("header_repeated", subject);
  return decodeMac(reading.value, hash, encoding) ?? fail("signature_malformed", subject);
}

export function decodeMac(text: string, hash: MacHash, encoding: "hex" | "base64"): Buffer | null {
  if (text.length > hashBytes[hash] * 2) return null;
  const bytes = decodeCanonical(text, encoding);
  return bytes?.length === hashBytes[hash] ? bytes : null;
}
