import { auditKeyPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";

type SealedKey = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyCiphertext: Uint8Array;
};

export function sealAuditKey(
  sealer: Sealer,
  { accountId, keyId, key }: Omit<SealedKey, "keyCiphertext"> & { readonly key: Uint8Array },
): Uint8Array {
  return sealer.seal(key, auditKeyPlace(accountId, keyId));
}

/** The key of a chain. Null: it was changed, or sealed with another key. */
export function openAuditKey(
  sealer: Sealer,
  { accountId, keyId, keyCiphertext }: SealedKey,
): Uint8Array | null {
  const opened = sealer.open(keyCiphertext, auditKeyPlace(accountId, keyId));
  return opened.ok ? opened.plaintext : null;
}
