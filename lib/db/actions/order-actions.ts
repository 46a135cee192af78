import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/**
 * Reorders the actions of a hook. Actions that are not named, such as one that was just added,
 * follow in their current order. Throws `not_found` if the hook is deleted or belongs to another
 * account.
 */
export async function orderActions(
  db: Database,
  accountId: string,
  hookId: string,
  actionIds: readonly string[],
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id } = await lockHook(tx, accountId, hookId);
    await tx.$executeRaw`
      update actions set position = ordered.place, updated_at = now()
      from (
        select a.id, row_number() over (order by wanted.place nulls last, a.position, a.id)::int - 1 as place
        from actions a
        left join unnest(${[...actionIds]}::uuid[]) with ordinality as wanted(id, place) on wanted.id = a.id
        where a.hook_id = ${id}::uuid and a.deleted_at is null
      ) ordered
      where actions.id = ordered.id and actions.position <> ordered.place`;
  });
}
