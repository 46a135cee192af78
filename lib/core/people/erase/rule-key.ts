import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { erasureRuleKeyPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";

/** The bytes of a new key. */
export const ruleKeyBytes = 32;

/**
 * Seals the key of an account's rules. It is random instead of derived from the secret key: a hash can't be made
 * again without its value, so it has to outlast a rotation of the secret key.
 */
export function sealRuleKey(
  sealer: Sealer,
  accountId: string,
  key: Uint8Array,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sealer.seal(key, erasureRuleKeyPlace(accountId)));
}

/** The key of an account's rules. Null: it was changed, or no key opens it. */
export function openRuleKey(
  sealer: Sealer,
  accountId: string,
  ciphertext: Uint8Array,
): KeyObject | null {
  const opened = sealer.open(ciphertext, erasureRuleKeyPlace(accountId));
  return opened.ok ? createSecretKey(opened.plaintext) : null;
}

/**
 * The hash by which a rule knows a value, in any case: 32 bytes of HMAC-SHA-256. From a key's bytes instead of its
 * object, it would take ten times as long.
 */
export function hashValue(key: KeyObject, value: string): Buffer {
  return createHmac("sha256", key).update(foldCase(value)).digest();
}

/** Both small sigmas have one capital letter. */
function foldCase(value: string): string {
  return value.toLowerCase().replaceAll("ς", "σ");
}
