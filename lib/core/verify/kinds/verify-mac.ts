/** Compares the MACs of a request with those of the active secrets. */
import { timingSafeEqual } from "node:crypto";
import { listKeys, toMacKey } from "#lib/core/verify/scheme/decode-secret.ts";
import type { CompiledMac } from "#lib/core/verify/scheme/scheme.ts";
import { computeMac } from "./mac.ts";
import type { Matcher } from "./verify-signed.ts";

/** Null when no secret is usable. */
export function prepareMac(compiled: CompiledMac, secrets: readonly string[]): Matcher | null {
  const keys = secrets.flatMap((secret) => listKeys(compiled.scheme, secret).map(toMacKey));
  if (keys.length === 0) return null;

  // Compares all pairs, so that timing doesn't reveal which secret or signature matched.
  return (pieces, signatures) => {
    let isMatch = false;
    for (const key of keys) {
      const expected = computeMac(compiled, key, pieces);
      for (const signature of signatures) {
        if (signature.length === expected.length && timingSafeEqual(signature, expected))
          isMatch = true;
      }
    }
    return isMatch;
  };
}
