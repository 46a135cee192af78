import type { Database } from "#lib/db/postgres/client.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { CatchUrlRotation } from "#lib/schema/hook.ts";
import { generateHookKey } from "./hook-key.ts";
import { type HookRecord, toHookRecord, wholeHook } from "./hook-record.ts";
import { lockHook } from "./lock-hook.ts";

/** An owner who rotates again and again has a leak that a new URL doesn't stop. */
const maxPreviousKeys = 10;

/**
 * Gives a hook a new catch URL. The previous one works for another `expirePreviousAfterSeconds` (0:
 * it ends at once), by the database's clock. A trigger on the row notifies every process in the
 * same transaction.
 */
export async function rotateCatchUrl(
  db: Database,
  accountId: string,
  hookId: string,
  { keyPrefix, expirePreviousAfterSeconds }: CatchUrlRotation,
): Promise<HookRecord> {
  return db.$transaction(async (tx) => {
    const before = await lockHook(tx, accountId, hookId);
    await tx.$executeRaw`
      delete from hook_previous_keys where hook_id = ${before.id}::uuid and expires_at <= now()`;
    if (expirePreviousAfterSeconds > 0) {
      if ((await tx.hookPreviousKey.count({ where: { hookId: before.id } })) >= maxPreviousKeys) {
        const detail = `A hook has at most ${maxPreviousKeys} previous catch URLs. End one first, or set expirePreviousAfterSeconds to 0.`;
        throw new AppError("conflict", detail);
      }
      await tx.$executeRaw`
        insert into hook_previous_keys (id, hook_id, key, expires_at)
        values (${newId()}::uuid, ${before.id}::uuid, ${before.key},
          now() + ${expirePreviousAfterSeconds}::int * interval '1 second')`;
    }
    const row = await tx.hook.update({
      where: { id: before.id },
      data: { key: generateHookKey(keyPrefix), updatedAt: new Date() },
      ...wholeHook,
    });
    return toHookRecord(row);
  });
}

/** Ends every previous catch URL at once. */
export async function endPreviousCatchUrls(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    await tx.hookPreviousKey.deleteMany({ where: { hookId: hook.id } });
  });
}
