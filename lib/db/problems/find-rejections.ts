import { idFloor } from "#lib/core/api/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { Found } from "./find-failures.ts";
import type { ScanSpan } from "./problem-scans.ts";

/** Rejected requests of a hook with one reason, in one minute. */
export type FoundRejections = {
  readonly accountId: string;
  readonly hookId: string;
  readonly reason: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
  /** The last one. Null: none of them is stored. */
  readonly deliveryId: string | null;
  readonly message: string | null;
};

/**
 * Groups rejected deliveries. A hook stores a limited number of them a minute, so there are few. Each
 * account takes a step along its index.
 */
export async function findRejectedDeliveries(
  tx: SqlStatements,
  { after, until }: ScanSpan,
): Promise<Found<FoundRejections>> {
  const rows = await tx.$queryRaw<FoundRejections[]>`
    select a.id as "accountId", h.id as "hookId", d.reason, min(d.at) as "firstAt", max(d.at) as "lastAt", count(*)::int as count,
      (array_agg(d.id order by d.id desc))[1] as "deliveryId", (array_agg(d.detail order by d.id desc))[1] as message
    from accounts a
    cross join lateral (
      select id, hook_id, coalesce(reason, 'unknown') as reason, detail, to_timestamp(uuid_v7_ms(id) / 1000.0) as at from deliveries
      where account_id = a.id and status = 'rejected' and not is_sample
        and id >= ${idFloor(after.getTime() + 1)}::uuid and id < ${idFloor(until.getTime() + 1)}::uuid
    ) d
    join hooks h on h.id = d.hook_id and h.deleted_at is null
    group by a.id, h.id, d.reason, date_trunc('minute', d.at)`;
  return { rows, until, isMore: false };
}

/** The ones beyond the number that is stored, which are only counted: of whole minutes. */
export async function findRejectedCounts(
  tx: SqlStatements,
  { after, until: end }: ScanSpan,
): Promise<Found<FoundRejections>> {
  // A minute is counted for a while after it has ended, and then looked at once.
  const until = new Date(Math.floor(end.getTime() / 60_000) * 60_000 - 60_000);
  if (until <= after) return { rows: [], until: after, isMore: false };
  const rows = await tx.$queryRaw<FoundRejections[]>`
    select c.account_id as "accountId", c.hook_id as "hookId", c.reason, c.minute as "firstAt", c.minute + interval '59.999 s' as "lastAt",
      c.count::int as count, null::uuid as "deliveryId", null::text as message
    from rejected_counts c join hooks h on h.id = c.hook_id and h.deleted_at is null
    where c.minute > ${after} and c.minute <= ${until}`;
  return { rows, until, isMore: false };
}
