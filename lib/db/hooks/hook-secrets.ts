import type { SealedSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SecretOrigin } from "./hook-record.ts";

/** @returns the number of a hook's secrets */
export async function countHookSecrets(tx: Transaction, hookId: string): Promise<number> {
  return await tx.hookSecret.count({ where: { hookId } });
}

/** Deletes one secret. @returns true if it existed */
export async function deleteHookSecret(
  tx: Transaction,
  hookId: string,
  secretId: string,
): Promise<boolean> {
  const { count } = await tx.hookSecret.deleteMany({ where: { id: secretId, hookId } });
  return count > 0;
}

export async function deleteHookSecrets(tx: Transaction, hookId: string): Promise<void> {
  await tx.hookSecret.deleteMany({ where: { hookId } });
}

/**
 * Keeps an expiring or expired secret active for so many seconds from now, by the database's clock.
 *
 * @returns true if it existed
 */
export async function extendSecret(
  tx: Transaction,
  hookId: string,
  { secretId, seconds }: { readonly secretId: string; readonly seconds: number },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    update hook_secrets set expires_at = now() + ${seconds}::int * interval '1 second'
    where id = ${secretId}::uuid and hook_id = ${hookId}::uuid and expires_at is not null`;
  return count > 0;
}

/** The secrets with these ids, newest first. */
export async function readSealedSecrets(
  tx: Database | Transaction,
  ids: readonly string[],
): Promise<readonly SealedSecret[]> {
  return await tx.hookSecret.findMany({
    where: { id: { in: [...ids] } },
    orderBy: { id: "desc" },
    select: { id: true, ciphertext: true },
  });
}

/** The secret that the provider sent in a handshake after a time, or null. */
export async function findHandshakeSecret(
  db: Database,
  hookId: string,
  since: Date,
): Promise<SealedSecret | null> {
  return await db.hookSecret.findFirst({
    where: { hookId, origin: "handshake", createdAt: { gt: since } },
    orderBy: { id: "desc" },
    select: { id: true, ciphertext: true },
  });
}

type NewHookSecret = {
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly ciphertext: Uint8Array;
  readonly hint: string;
  /** The origin. Default: pasted. */
  readonly origin?: SecretOrigin;
};

/** Adds a secret. The caller has checked that the hook belongs to the account. */
export async function addHookSecret(tx: Transaction, secret: NewHookSecret): Promise<void> {
  const ciphertext = new Uint8Array(secret.ciphertext);
  await tx.hookSecret.create({ data: { ...secret, ciphertext }, select: { id: true } });
}

/**
 * Ends all secrets of a hook in so many seconds (0: they are deleted), unless they end earlier, by
 * the database's clock.
 */
export async function expireHookSecrets(
  tx: Transaction,
  hookId: string,
  seconds: number,
): Promise<void> {
  // The current time wouldn't work as the expiry: the column rounds to milliseconds, so it could
  // still be in the future.
  if (seconds > 0) {
    await tx.$executeRaw`
      update hook_secrets set expires_at = least(expires_at, now() + ${seconds}::int * interval '1 second')
      where hook_id = ${hookId}::uuid`;
  }
  await tx.$executeRaw`
    delete from hook_secrets where hook_id = ${hookId}::uuid and (${seconds === 0} or expires_at <= now())`;
}
