import type { Database } from "#lib/db/postgres/client.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";

/** Reads the newest send of each of these subscriptions: two index lookups each. */
export async function readLastSends(
  db: Database,
  accountId: string,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, RunListItem>> {
  if (subscriptionIds.length === 0) return new Map();
  const newest = await db.$queryRaw<{ id: string; subscriptionId: string }[]>`
    select last.id, wanted.id as "subscriptionId"
    from unnest(${[...subscriptionIds]}::uuid[]) as wanted(id)
    cross join lateral (
      select max(id::text)::uuid as id from (
        (select id from queue where account_id = ${accountId}::uuid and target_id = wanted.id
          order by account_id desc, target_id desc, id desc limit 1)
        union all
        (select id from runs where target_id = wanted.id order by target_id desc, id desc limit 1)
      ) both_kinds
    ) last
    where last.id is not null`;
  const rows = await readRunRows(
    db,
    accountId,
    newest.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    newest.flatMap(({ id, subscriptionId }) => {
      const row = byId.get(id);
      return row === undefined ? [] : [[subscriptionId, row] as const];
    }),
  );
}
