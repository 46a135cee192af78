import type { Prisma } from "./generated/client.ts";
import { type HookRecord, hookSelect, toHookRecord } from "./hook-record.ts";
import { notFound, requireId } from "./not-found.ts";

/** The hook, with its row locked until the transaction ends: two changes of one hook come one after the other. */
export async function lockHook(
  tx: Prisma.TransactionClient,
  accountId: string,
  hookId: string,
): Promise<HookRecord> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    select id from hooks
    where id = ${requireId("hook", hookId)}::uuid and account_id = ${accountId}::uuid and deleted_at is null
    for no key update`;
  if (locked.length === 0) throw notFound("hook");
  return toHookRecord(await tx.hook.findUniqueOrThrow({ where: { id: hookId }, select: hookSelect }));
}
