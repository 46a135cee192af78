import { timeOfId } from "#lib/base/ids.ts";
import { lastId, toIdSpan } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import { unknownReason } from "#lib/db/runs/run-record.ts";

/** Failed runs of one action or subscription with the same reason. */
export type FailureGroup = {
  /** Null: of a subscription. */
  readonly actionId: string | null;
  readonly subscriptionId: string | null;
  /** The code of the runs' reason. */
  readonly reason: string;
  readonly count: number;
  /** When the first and the last of the runs were created. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The number of runs in equal parts of the time, oldest first. */
  readonly bars: readonly number[];
  readonly lastRunId: string;
  /** Null: not muted. */
  readonly mutedAt: Date | null;
};

type Failures = {
  /** Muted ones last, most runs first. */
  readonly groups: readonly FailureGroup[];
  /** Groups beyond these. */
  readonly more: number;
  /** False: only the newest runs are counted, because there are too many. */
  readonly isComplete: boolean;
};

type Range = {
  /** Unix milliseconds: inclusive, and exclusive. */
  readonly from: number;
  readonly to: number;
  /** Whether runs that seem to come from a little later are included. */
  readonly isUntilNow: boolean;
  /** The number of bars. */
  readonly bars: number;
  /** The maximum number of groups. */
  readonly limit: number;
};

type Row = {
  readonly action_id: string | null;
  readonly subscription_id: string | null;
  readonly reason: string;
  readonly count: number;
  readonly first_id: string;
  readonly last_id: string;
  readonly bars: readonly number[];
  readonly counts: readonly number[];
  readonly muted_at: Date | null;
  readonly groups: number;
  readonly scanned: number;
};

/** More failed runs than this are not read: 200,000 take half a second. */
const maxFailures = 200_000;

/**
 * Groups the failed runs that were created in a time by action or subscription and reason, in one
 * walk along the index of failed runs. Deleted actions and subscriptions are left out, because
 * nothing can be done about them.
 */
export async function listFailures(
  db: Database,
  accountId: string,
  { from, to, isUntilNow, bars, limit }: Range,
): Promise<Failures> {
  const span = toIdSpan({ from, to: isUntilNow ? undefined : to }, lastId);
  const barMs = (to - from) / bars;
  // Text sorts like the ids in "C". PostgreSQL has no least id before version 18.
  const rows = await db.$transaction(async (tx) => {
    await walkAlongIndexes(tx);
    return await tx.$queryRaw<Row[]>`
    with failed as materialized (
      select id, target_id, hook_id, reason_code from runs
      where account_id = ${accountId}::uuid and state = 'failed' and id >= ${span.first}::uuid and id < ${span.end}::uuid
      order by id desc limit ${maxFailures}::int
    ), counted as (
      select target_id, hook_id is null as is_send, coalesce(reason_code, ${unknownReason}) as reason,
        least(${bars}::int - 1, floor((uuid_v7_ms(id) - ${from}::float8) / ${barMs}::float8)::int) as bar,
        count(*)::int as count, min(id::text collate "C") as first_id, max(id::text collate "C") as last_id
      from failed group by 1, 2, 3, 4
    ), grouped as (
      select target_id, is_send, reason, sum(count)::int as count, min(first_id) as first_id,
        max(last_id) as last_id, array_agg(bar) as bars, array_agg(count) as counts
      from counted group by 1, 2, 3
    )
    select a.id as action_id, s.id as subscription_id, g.reason, g.count, g.first_id, g.last_id, g.bars, g.counts,
      m.muted_at, count(*) over ()::int as groups, (select count(*) from failed)::int as scanned
    from grouped g
    left join actions a on a.id = g.target_id and not g.is_send and a.deleted_at is null
    left join hooks h on h.id = a.hook_id and h.deleted_at is null
    left join subscriptions s on s.id = g.target_id and g.is_send and s.deleted_at is null
    left join muted_failures m on m.target_id = g.target_id and m.reason = g.reason
      and case when g.is_send then s.updated_at <= m.muted_at else a.version = m.version end
    where h.id is not null or s.id is not null
    order by m.muted_at is not null, g.count desc, g.last_id desc limit ${limit}::int`;
  });
  return {
    groups: rows.map((row) => toGroup(row, bars)),
    more: (rows[0]?.groups ?? 0) - rows.length,
    isComplete: (rows[0]?.scanned ?? 0) < maxFailures,
  };
}

function toGroup(row: Row, bars: number): FailureGroup {
  const counts = new Map(row.bars.map((bar, at) => [bar, row.counts[at] ?? 0]));
  return {
    actionId: row.action_id,
    subscriptionId: row.subscription_id,
    reason: row.reason,
    count: row.count,
    firstAt: new Date(timeOfId(row.first_id)),
    lastAt: new Date(timeOfId(row.last_id)),
    bars: Array.from({ length: bars }, (_, bar) => counts.get(bar) ?? 0),
    lastRunId: row.last_id,
    mutedAt: row.muted_at,
  };
}
