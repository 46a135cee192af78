import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { runIdRange } from "./run-sources.ts";

/** The runs that were queued with these deliveries, in the order of the deliveries. */
export async function listQueuedRuns(
  tx: SqlStatements,
  deliveryIds: readonly string[],
): Promise<readonly string[]> {
  if (deliveryIds.length === 0) return [];
  const ranges = deliveryIds.map(runIdRange);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select made.id
    from unnest(${[...deliveryIds]}::uuid[], ${ranges.map(({ first }) => first)}::uuid[], ${ranges.map(({ last }) => last)}::uuid[])
      as wanted(id, first, last)
    cross join lateral (
      select id from queue
      where id >= wanted.first and id <= wanted.last and delivery_id = wanted.id and not has_own_id
      offset 0
    ) made
    order by made.id`;
  return rows.map(({ id }) => id);
}
