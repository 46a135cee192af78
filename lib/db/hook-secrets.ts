import type { Sealer, SealPlace } from "#lib/core/seal/sealer.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { SecretRotation } from "#lib/schema/hook.ts";
import type { Database } from "./client.ts";
import type { Prisma } from "./generated/client.ts";
import { hookSelect, type SavedHook, type SecretOrigin, toHookRecord } from "./hook-record.ts";
import { isComplete, requireUsableSecret } from "./hook-rules.ts";
import { lockHook } from "./lock-hook.ts";
import { secretHint } from "./secret-hint.ts";

/** More would slow every refusal: each signature is compared with each of them. */
const mostSecrets = 10;

/**
 * A new secret, which ends the waiting of a pending hook; those before it pass for `expirePreviousAfterSeconds` more (0: they end at once), or until they expire anyway, by
 * the database's clock.
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
    if ((await tx.hookSecret.count({ where: { hookId: before.id } })) >= mostSecrets) {
      const detail = `A hook has at most ${mostSecrets} secrets at a time. Wait for one to expire, or set expirePreviousAfterSeconds to 0.`;
      throw new AppError("conflict", detail);
    }
    await addHookSecret(tx, { accountId, hookId: before.id, secret: rotation.secret, sealer });
    const row = await tx.hook.update({
      where: { id: before.id },
      data: { updatedAt: new Date(), ...(isComplete(before, true) ? { pendingSince: null } : {}) },
      select: hookSelect,
    });
    return { hook: toHookRecord(row), warnings };
  });
}

/** Ends one secret at once and for good. Throws `not_found` where it is gone already. */
export async function expireHookSecret(
  db: Database,
  accountId: string,
  hookId: string,
  secretId: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    const { count } = await tx.hookSecret.deleteMany({ where: { id: secretId, hookId: hook.id } });
    if (count === 0) throw new AppError("not_found", "This secret does not pass any more.");
    // Whoever holds the hook in a cache has to hear of it.
    await tx.hook.update({ where: { id: hook.id }, data: { updatedAt: new Date() }, select: { id: true } });
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

/** Seals the secret to its row. The caller has checked that the hook is the account's. */
export async function addHookSecret(
  tx: Prisma.TransactionClient,
  { accountId, hookId, secret, sealer, origin = "pasted" }: NewHookSecret,
): Promise<void> {
  const id = newId();
  const ciphertext = new Uint8Array(sealer.seal(Buffer.from(secret, "utf8"), secretPlace(accountId, id)));
  await tx.hookSecret.create({
    data: { id, accountId, hookId, ciphertext, origin, hint: secretHint(secret) },
  });
}

/** A secret opens in its own row only. */
export function secretPlace(accountId: string, secretId: string): SealPlace {
  return { accountId, table: "hook_secrets", rowId: secretId, field: "ciphertext" };
}

async function expireSecrets(tx: Prisma.TransactionClient, hookId: string, seconds: number): Promise<void> {
  // Not by an expiry of now: the column rounds to milliseconds, so that it could still lie ahead.
  if (seconds > 0) {
    await tx.$executeRaw`
      update hook_secrets set expires_at = least(expires_at, now() + ${seconds}::int * interval '1 second')
      where hook_id = ${hookId}::uuid`;
  }
  await tx.$executeRaw`
    delete from hook_secrets where hook_id = ${hookId}::uuid and (${seconds === 0} or expires_at <= now())`;
}
