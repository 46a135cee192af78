import { isComplete, requireUsableSecret } from "#lib/core/hook/hook-rules.ts";
import type { Sealer, SealPlace } from "#lib/core/seal/sealer.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { secretHint } from "#lib/db/secrets/secret-hint.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { SecretRotation } from "#lib/schema/hook.ts";
import { type SavedHook, type SecretOrigin, toHookRecord, wholeHook } from "./hook-record.ts";
import { lockHook } from "./lock-hook.ts";

/** More would slow every rejection: each signature is compared with each secret. */
const maxSecrets = 10;

/**
 * Adds a secret, which also ends the wait of a pending hook. Earlier secrets stay active for
 * `expirePreviousAfterSeconds` (0: they end at once) or until they expire anyway, by the database's
 * clock.
 */
export async function rotateHookSecret(
  db: Database,
  accountId: string,
  hookId: string,
  rotation: SecretRotation,
  sealer: Sealer,
): Promise<SavedHook> {
  return db.$transaction(async (tx) => {
    const before = await lockHook(tx, accountId, hookId);
    const warnings = requireUsableSecret(before, rotation.secret, "secret");
    await expireSecrets(tx, before.id, rotation.expirePreviousAfterSeconds);
    if ((await tx.hookSecret.count({ where: { hookId: before.id } })) >= maxSecrets) {
      const detail = `A hook has at most ${maxSecrets} secrets at a time. Wait for one to expire, or set expirePreviousAfterSeconds to 0.`;
      throw new AppError("conflict", detail);
    }
    await addHookSecret(tx, { accountId, hookId: before.id, secret: rotation.secret, sealer });
    const row = await tx.hook.update({
      where: { id: before.id },
      data: { updatedAt: new Date(), ...(isComplete(before, true) ? { pendingSince: null } : {}) },
      ...wholeHook,
    });
    return { hook: toHookRecord(row), warnings };
  });
}

/** Deletes one secret at once. Throws `not_found` if it is gone. */
export async function expireHookSecret(
  db: Database,
  accountId: string,
  hookId: string,
  secretId: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    const { count } = await tx.hookSecret.deleteMany({ where: { id: secretId, hookId: hook.id } });
    if (count === 0) throw new AppError("not_found", "This secret is no longer active.");
    // Processes that have cached the hook need to be notified.
    await tx.hook.update({
      where: { id: hook.id },
      data: { updatedAt: new Date() },
      select: { id: true },
    });
  });
}

export type NewHookSecret = {
  readonly accountId: string;
  readonly hookId: string;
  readonly secret: string;
  readonly sealer: Sealer;
  /** Default: pasted. */
  readonly origin?: SecretOrigin;
};

/** Seals the secret to its row. The caller has checked that the hook belongs to the account. */
export async function addHookSecret(
  tx: Prisma.TransactionClient,
  { accountId, hookId, secret, sealer, origin = "pasted" }: NewHookSecret,
): Promise<void> {
  const id = newId();
  const ciphertext = new Uint8Array(
    sealer.seal(Buffer.from(secret, "utf8"), secretPlace(accountId, id)),
  );
  await tx.hookSecret.create({
    data: { id, accountId, hookId, ciphertext, origin, hint: secretHint(secret) },
  });
}

export type SealedSecret = { readonly id: string; readonly ciphertext: Uint8Array };

/**
 * Skips secrets that can't be opened (another key, a moved row). With none left, the hook rejects
 * everything.
 */
export function openSecrets(
  accountId: string,
  secrets: readonly SealedSecret[],
  sealer: Sealer,
): readonly string[] {
  return secrets.flatMap((secret) => openSecret(accountId, secret, sealer) ?? []);
}

/** Null: it can't be opened. */
export function openSecret(
  accountId: string,
  { id, ciphertext }: SealedSecret,
  sealer: Sealer,
): string | null {
  const opened = sealer.open(ciphertext, secretPlace(accountId, id));
  return opened.ok ? Buffer.from(opened.plaintext).toString("utf8") : null;
}

/** A secret can be opened in its own row only. */
function secretPlace(accountId: string, secretId: string): SealPlace {
  return { accountId, table: "hook_secrets", rowId: secretId, field: "ciphertext" };
}

async function expireSecrets(
  tx: Prisma.TransactionClient,
  hookId: string,
  seconds: number,
): Promise<void> {
  // Not by an expiry of now: the column rounds to milliseconds, so it could still be in the future.
  if (seconds > 0) {
    await tx.$executeRaw`
      update hook_secrets set expires_at = least(expires_at, now() + ${seconds}::int * interval '1 second')
      where hook_id = ${hookId}::uuid`;
  }
  await tx.$executeRaw`
    delete from hook_secrets where hook_id = ${hookId}::uuid and (${seconds === 0} or expires_at <= now())`;
}
