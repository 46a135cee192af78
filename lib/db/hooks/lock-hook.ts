import type { Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { type HookRecord, toHookRecord, wholeHook } from "./hook-record.ts";

/**
 * Reads a hook and locks its row until the transaction ends, so that changes to one hook are
 * serialized.
 */
export async function lockHook(
  tx: Transaction,
  accountId: string,
  hookId: string,
): Promise<HookRecord> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    select id from hooks
    where id = ${requireId("hook", hookId)}::uuid and account_id = ${accountId}::uuid and deleted_at is null
    for no key update`;
  if (locked.length === 0) throw notFound("hook");
  return toHookRecord(await tx.hook.findUniqueOrThrow({ where: { id: hookId }, ...wholeHook }));
}
