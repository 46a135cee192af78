import { hookSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { secretHint } from "#lib/core/verify/secret/secret-hint.ts";

/** A row of a hook's secrets. */
export type SealedSecret = { readonly id: string; readonly ciphertext: Uint8Array };

type Owner = { readonly id: string; readonly accountId: string };

/** A new secret, sealed to its row, with the hint that is shown to users. */
export function sealHookSecret(sealer: Sealer, owner: Owner, secret: string) {
  const ciphertext = sealer.seal(Buffer.from(secret, "utf8"), hookSecretPlace(owner));
  return { ...owner, ciphertext, hint: secretHint(secret) };
}

/**
 * Skips secrets that can't be opened (another key, a moved row). If none is left, the hook rejects
 * everything.
 */
export function openSecrets(
  accountId: string,
  secrets: readonly SealedSecret[],
  sealer: Sealer,
): readonly string[] {
  return secrets.flatMap((secret) => openSecret(accountId, secret, sealer) ?? []);
}

/** Null: the secret can't be opened. */
export function openSecret(
  accountId: string,
  { id, ciphertext }: SealedSecret,
  sealer: Sealer,
): string | null {
  const opened = sealer.open(ciphertext, hookSecretPlace({ id, accountId }));
  return opened.ok ? Buffer.from(opened.plaintext).toString("utf8") : null;
}
