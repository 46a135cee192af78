import type { Database } from "#lib/db/postgres/client.ts";
import { requireId } from "#lib/db/postgres/not-found.ts";

/**
 * The event types that a hook has seen, in alphabetical order. Walks the index of hook and type
 * from one type to the next: a few blocks per type, however many deliveries there are.
 */
export async function listEventTypes(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ event_type: string }[]>`
    with recursive types as (
      (
        select event_type, 1 as number from deliveries
        where hook_id = (
          select id from hooks
          where id = ${requireId("hook", hookId)}::uuid and account_id = ${accountId}::uuid and deleted_at is null
        ) and event_type is not null
        order by hook_id, event_type limit 1
      )
      union all
      select following.event_type, types.number + 1 from types
      cross join lateral (
        select event_type from deliveries
        where hook_id = ${hookId}::uuid and event_type > types.event_type
        order by hook_id, event_type limit 1
      ) following
      where types.number < ${maxTypes}::int
    )
    select event_type from types`;
  return rows.map(({ event_type }) => event_type);
}

/** A hook that catches everything may have thousands, too many for a picker. */
const maxTypes = 100;
