import type { Database } from "#lib/db/postgres/client.ts";

/**
 * Lists at most `limit` event types of an account, in alphabetical order: those in the catalog, and
 * those that were published. Each type takes one index step, regardless of the number of events.
 */
export async function listKnownTypes(
  db: Database,
  accountId: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ type: string }[]>`
    with recursive published as (
      (select type from events where account_id = ${accountId}::uuid order by account_id, type limit 1)
      union all
      select (
        select next.type from events next
        where next.account_id = ${accountId}::uuid and next.type > published.type
        order by next.account_id, next.type limit 1
      )
      from published where published.type is not null
    )
    select type from (select type from published limit ${limit}::int) found where type is not null
    union
    select name from event_types where account_id = ${accountId}::uuid
    order by type limit ${limit}::int`;
  return rows.map(({ type }) => type);
}

/** True if an event of the type is stored. */
export async function isPublishedType(
  db: Database,
  accountId: string,
  type: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from events where account_id = ${accountId}::uuid and type = ${type} limit 1`;
  return rows.length > 0;
}
