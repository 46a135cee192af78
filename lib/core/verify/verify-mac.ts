/** Compares the MACs of a request with those that the active secrets make. */
import { timingSafeEqual } from "node:crypto";
import { decodeSecret, toMacKey } from "./decode-secret.ts";
import { computeMac } from "./mac.ts";
import type { CompiledMac } from "./scheme.ts";
import type { Matcher } from "./verify-signed.ts";

/** Null when no secret is usable. */
export function prepareMac(compiled: CompiledMac, secrets: readonly string[]): Matcher | null {
  const keys = secrets.flatMap((secret) => {
    const bytes = decodeSecret(compiled.scheme, secret);
    return bytes === null ? [] : [toMacKey(bytes)];
  });
  if (keys.length === 0) return null;

  // All pairs are compared, so the time does not tell which secret or which signature fitted.
  return (pieces, signatures) => {
    let isMatch = false;
    for (const key of keys) {
      const expected = computeMac(compiled, key, pieces);
      for (const signature of signatures) {
        if (signature.length === expected.length && timingSafeEqual(signature, expected)) isMatch = true;
      }
    }
    return isMatch;
  };
}
