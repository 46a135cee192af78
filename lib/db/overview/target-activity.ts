import { idFloor, lastId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { hourMs } from "#lib/db/statistics/statistics-hours.ts";
import { type ActivityRange, activityRanges, startOfRange } from "#lib/schema/watch/activity.ts";
import { inOneSnapshot, type RunCounts, sumRuns, toRate } from "./statistics.ts";

/** The duration of calls in milliseconds: half of them took at most `p50Ms`. */
type Latency = { readonly p50Ms: number; readonly p95Ms: number };

/** The runs of a time range of some actions, or of a subscription. */
export type TargetActivity = {
  /** Oldest first, ending with the current time. `startMs` is Unix time. */
  readonly buckets: readonly {
    readonly startMs: number;
    readonly runs: RunCounts;
    /** Null: nothing was called. */
    readonly latency: Latency | null;
  }[];
  readonly runs: RunCounts;
  /** The share of successful runs among those whose last attempt has ended. Null: there are none. */
  readonly successRate: number | null;
  readonly latency: Latency | null;
};

type Span = {
  readonly accountId: string;
  readonly targetIds: readonly string[];
  /** The start of the first bucket, in Unix milliseconds. */
  readonly fromMs: number;
  readonly nowMs: number;
  /** Whole hours. */
  readonly bucketMs: number;
  readonly buckets: number;
};

/**
 * A time range of these actions or subscriptions of an account together: rolled-up rows and the last
 * minutes from an index, as on the home page. Times are those of the newest calls of each bucket.
 */
export async function readTargetActivity(
  db: Database,
  accountId: string,
  targetIds: readonly string[],
  range: ActivityRange = "24h",
): Promise<TargetActivity> {
  const nowMs = Date.now();
  const fromMs = startOfRange(range, nowMs);
  const { bucketMs, buckets } = activityRanges[range];
  const span = { accountId, targetIds, fromMs, nowMs, bucketMs, buckets };
  const [counts, latencies] = await inOneSnapshot(db, async (tx, countedUntilMs) => [
    await tx.$queryRaw<CountRow[]>(selectCounts(span, countedUntilMs ?? fromMs)),
    await tx.$queryRaw<LatencyRow[]>(selectLatencies(span)),
  ]);
  const totals = sumRuns(counts);
  return {
    buckets: Array.from({ length: buckets }, (_, at) => ({
      startMs: fromMs + at * bucketMs,
      runs: sumRuns(counts.filter(({ bucket }) => bucket === at)),
      latency: toLatency(latencies.find(({ bucket }) => bucket === at)),
    })),
    runs: totals,
    successRate: toRate(totals),
    latency: toLatency(latencies.find(({ bucket }) => bucket === null)),
  };
}

/** Buckets count from the first one. */
type CountRow = { readonly bucket: number; readonly state: string; readonly count: number };
type LatencyRow = { readonly bucket: number | null; readonly times: readonly number[] };

/** The most runs of one target that are counted beyond the roll-up. */
const maxTail = 40_000;

function selectCounts(
  { accountId, targetIds, fromMs, nowMs, bucketMs, buckets }: Span,
  countedUntilMs: number,
): Prisma.Sql {
  const first = idFloor(Math.max(countedUntilMs, fromMs));
  const perBucket = bucketMs / hourMs;
  const starts = Array.from(
    { length: buckets * perBucket },
    (_, at) => new Date(fromMs + at * hourMs),
  );
  // Rows that seem to come from the next minutes count as of now.
  const bucketOfId = Prisma.sql`least((uuid_v7_ms(id) - ${fromMs}::int8) / ${bucketMs}::int8, ${Math.floor((nowMs - fromMs) / bucketMs)}::int8)`;
  return Prisma.sql`
    with tail as (
      select found.id, found.state from unnest(${[...targetIds]}::uuid[]) as of_target(id) cross join lateral (
        (
          select id, state from runs
          where target_id = of_target.id and id >= ${first}::uuid and account_id = ${accountId}::uuid
          limit ${maxTail}::int
        )
        union all
        (
          select id, case when reason_code is null then 'queued' else 'retrying' end from queue
          where account_id = ${accountId}::uuid and target_id = of_target.id and id >= ${first}::uuid
          limit ${maxTail}::int
        )
      ) found
    )
    select ((of_hour.number - 1) / ${perBucket}::int8)::int as bucket, counted.state, sum(counted.count)::float8 as count
    from unnest(${starts}::timestamptz[]) with ordinality as of_hour(start, number)
    cross join unnest(${[...targetIds]}::uuid[]) as of_target(id)
    cross join lateral (
      select state, count from run_statistics
      where account_id = ${accountId}::uuid and hour = of_hour.start and target_id = of_target.id
    ) counted
    group by 1, 2
    union all
    select ${bucketOfId}::int, state, count(*)::float8 from tail group by 1, 2`;
}

/** The newest runs of a bucket whose calls are measured, of all targets together and of each. */
const sampledRuns = 100;
const minSampled = 10;

/** Runs that made no call, such as skipped ones, are read and left out. Steps are added up. */
function selectLatencies({ accountId, targetIds, fromMs, bucketMs, buckets }: Span): Prisma.Sql {
  const starts = Array.from({ length: buckets }, (_, at) => fromMs + at * bucketMs);
  const firsts = starts.map(idFloor);
  const ends = starts.map((ms, at) => (at === buckets - 1 ? lastId : idFloor(ms + bucketMs)));
  const each = Math.max(minSampled, Math.ceil(sampledRuns / Math.max(1, targetIds.length)));
  return Prisma.sql`
    select (of_bucket.number - 1)::int as bucket,
      percentile_cont(array[0.5, 0.95]) within group (order by call.duration_ms) as times
    from unnest(${firsts}::uuid[], ${ends}::uuid[]) with ordinality as of_bucket(first_id, end_id, number)
    cross join unnest(${[...targetIds]}::uuid[]) as of_target(id)
    cross join lateral (
      select id, duration_ms, started_at, state, account_id from runs
      where target_id = of_target.id and id >= of_bucket.first_id and id < of_bucket.end_id
      order by id desc limit ${each}::int
    ) newest
    cross join lateral (
      select newest.duration_ms::float8 where newest.started_at is not null
      union all
      select sum(duration_ms)::float8 from run_steps where id = newest.id and item = -1 and newest.started_at is null
    ) call
    where newest.account_id = ${accountId}::uuid and newest.state in ('succeeded', 'failed') and call.duration_ms is not null
    group by grouping sets ((of_bucket.number), ())
    having count(*) > 0`;
}

function toLatency(row: LatencyRow | undefined): Latency | null {
  const [p50Ms, p95Ms] = row?.times ?? [];
  return p50Ms === undefined || p95Ms === undefined ? null : { p50Ms, p95Ms };
}
