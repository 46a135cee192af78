import { isId } from "#lib/base/ids.ts";
import { earlierId, firstId, idFloor, lastId, laterId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { RejectedFilter } from "#lib/schema/receive/delivery.ts";
import { contains } from "./contains-text.ts";

export type ScannedDelivery = {
  readonly id: string;
  readonly hookId: string;
  readonly bodySize: number;
  readonly isMatch: boolean;
};

type Span = { readonly after?: string; readonly before?: string; readonly limit: number };

/**
 * Scans rejected deliveries, oldest first, and checks each against the filter. Reads them from the
 * index by hook or account and status, so the cost doesn't depend on the number of others. The rest
 * of the filter is checked in the rows found.
 */
export async function scanRejected(
  db: SqlStatements,
  accountId: string,
  filter: RejectedFilter,
  { after = firstId, before = lastId, limit }: Span,
): Promise<readonly ScannedDelivery[]> {
  const { hookId, eventType, eventId, isSample, q, from, to } = filter;
  if (hookId !== undefined && !isId(hookId)) return [];
  const first = from === undefined ? after : laterId(after, idFloor(from - 1));
  const end = to === undefined ? before : earlierId(before, idFloor(to));
  const { firstWeek, endWeek } = toWeeks({ first, end });
  const column = hookId === undefined ? Prisma.sql`account_id` : Prisma.sql`hook_id`;
  const owner =
    hookId === undefined
      ? Prisma.sql`unnest(${[accountId]}::uuid[]) as of_owner(id)`
      : Prisma.sql`(select id from hooks where id = ${hookId}::uuid and account_id = ${accountId}::uuid) as of_owner`;
  return await db.$queryRaw<ScannedDelivery[]>`
    with next as materialized (
      select newest.id from ${owner}
      cross join lateral unnest(array['rejected']) as of_status(name)
      cross join lateral (
        select id from deliveries
        where (${column}, status, id) > (of_owner.id, of_status.name, ${first}::uuid)
          and (${column}, status, id) < (of_owner.id, of_status.name, ${end}::uuid)
          and id >= ${firstWeek}::uuid and id < ${endWeek}::uuid
          and status <> 'accepted' and exists (select from hooks where hooks.id = hook_id and deleted_at is null)
        order by ${column}, status, id limit ${limit}::int
      ) newest
      order by newest.id limit ${limit}::int
    )
    select d.id, d.hook_id as "hookId", d.body_size as "bodySize",
      (${eventType ?? null}::text is null or d.event_type is not distinct from ${eventType ?? null})
        and (${eventId ?? null}::text is null or d.event_id is not distinct from ${eventId ?? null})
        and (${isSample ?? null}::boolean is null or d.is_sample = ${isSample ?? null})
        ${q === undefined ? Prisma.empty : contains(db, q)} as "isMatch"
    from next cross join lateral (select * from deliveries where id = next.id limit 1) d
    order by d.id`;
}

/** The maximum count. More are shown as "all". A search reads bodies, so it counts fewer. */
const maxCounted = 10_000;
const maxSearched = 2_000;

/** The number of deliveries that a job would process now. Null: more than are counted. */
export async function countRejected(
  db: SqlStatements,
  accountId: string,
  filter: RejectedFilter,
): Promise<number | null> {
  const limit = filter.q === undefined ? maxCounted : maxSearched;
  const scanned = await scanRejected(db, accountId, filter, { limit: limit + 1 });
  return scanned.length > limit ? null : scanned.filter(({ isMatch }) => isMatch).length;
}
