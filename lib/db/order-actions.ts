import type { Database } from "./client.ts";
import { lockHook } from "./lock-hook.ts";

/**
 * Puts the actions of a hook into this order. Those that are not named, such as one that was added meanwhile, come after them in the order
 * that they have. Throws `not_found` for a hook that is deleted or another account's.
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
