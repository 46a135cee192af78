import { newId } from "#lib/base/ids.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";

/** Deletes expired keys and paths, and counts those that still work, by the database's clock. */
export async function countPreviousKeys(tx: Transaction, hookId: string): Promise<number> {
  await tx.$executeRaw`
    delete from hook_previous_keys where hook_id = ${hookId}::uuid and expires_at <= now()`;
  await tx.$executeRaw`
    delete from hook_paths where hook_id = ${hookId}::uuid and expires_at <= now()`;
  const keys = await tx.hookPreviousKey.count({ where: { hookId } });
  return keys + (await tx.hookPath.count({ where: { hookId, expiresAt: { not: null } } }));
}

/** Keeps a replaced key working for so many seconds, by the database's clock. */
export async function addPreviousKey(
  tx: Transaction,
  hookId: string,
  { key, seconds }: { readonly key: string; readonly seconds: number },
): Promise<void> {
  await tx.$executeRaw`
    insert into hook_previous_keys (id, hook_id, key, expires_at)
    values (${newId()}::uuid, ${hookId}::uuid, ${key}, now() + ${seconds}::int * interval '1 second')`;
}

/**
 * Ends all previous keys and paths at once. A trigger notifies every process in the same
 * transaction.
 */
export async function deletePreviousKeys(tx: Transaction, hookId: string): Promise<void> {
  await tx.hookPreviousKey.deleteMany({ where: { hookId } });
  await tx.hookPath.deleteMany({ where: { hookId, expiresAt: { not: null } } });
}

/** True if a hook of any account has this key, or had it until a while ago. */
export async function isKeyTaken(tx: Transaction, key: string): Promise<boolean> {
  const count = await tx.hook.count({ where: { key } });
  return count > 0 || (await tx.hookPreviousKey.count({ where: { key } })) > 0;
}
