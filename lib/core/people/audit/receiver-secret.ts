import { auditReceiverPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";

/** Seals the secret that signs an account's audit log. */
export function sealReceiverSecret(sealer: Sealer, accountId: string, secret: string): Uint8Array {
  return sealer.seal(Buffer.from(secret, "utf8"), auditReceiverPlace(accountId));
}

/** Null: it was changed, or sealed with another key. */
export function openReceiverSecret(
  sealer: Sealer,
  { accountId, ciphertext }: { readonly accountId: string; readonly ciphertext: Uint8Array },
): string | null {
  const opened = sealer.open(ciphertext, auditReceiverPlace(accountId));
  return opened.ok ? Buffer.from(opened.plaintext).toString("utf8") : null;
}
