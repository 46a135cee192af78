import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { idFloor, lastId } from "#lib/db/postgres/page.ts";
import { hourMs, toHour } from "#lib/db/statistics/statistics-hours.ts";
import { inOneSnapshot, type RunCounts, sumRuns, toRate } from "./statistics.ts";

/** The duration of calls in milliseconds: half of them took at most `p50Ms`. */
export type Latency = { readonly p50Ms: number; readonly p95Ms: number };

/** The runs of the last 24 hours of some actions, or of a subscription. */
export type TargetActivity = {
  /** Oldest first, ending with the current hour. `startMs` is Unix time. */
  readonly hours: readonly {
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
  /** The start of the first hour, in Unix milliseconds. */
  readonly fromMs: number;
  readonly nowMs: number;
};

const shownHours = 24;

/**
 * The last 24 hours of these actions or subscriptions of an account together: rolled-up rows and the
 * last minutes from an index, as on the home page. Times are those of the newest calls of each hour.
 */
export async function readTargetActivity(
  db: Database,
  accountId: string,
  targetIds: readonly string[],
): Promise<TargetActivity> {
  const nowMs = Date.now();
  const fromMs = toHour(nowMs) - (shownHours - 1) * hourMs;
  const span = { accountId, targetIds, fromMs, nowMs };
  const [counts, latencies] = await inOneSnapshot(db, async (tx, countedUntilMs) => [
    await tx.$queryRaw<CountRow[]>(selectCounts(span, countedUntilMs ?? fromMs)),
    await tx.$queryRaw<LatencyRow[]>(selectLatencies(span)),
  ]);
  const totals = sumRuns(counts);
  return {
    hours: Array.from({ length: shownHours }, (_, at) => ({
      startMs: fromMs + at * hourMs,
      runs: sumRuns(counts.filter(({ hour }) => hour === at)),
      latency: toLatency(latencies.find(({ hour }) => hour === at)),
    })),
    runs: totals,
    successRate: toRate(totals),
    latency: toLatency(latencies.find(({ hour }) => hour === null)),
  };
}

/** Hours count from the first one. */
type CountRow = { readonly hour: number; readonly state: string; readonly count: number };
type LatencyRow = { readonly hour: number | null; readonly times: readonly number[] };

/** The most runs of one target that are counted beyond the roll-up. */
const maxTail = 40_000;

function selectCounts(
  { accountId, targetIds, fromMs, nowMs }: Span,
  countedUntilMs: number,
): Prisma.Sql {
  const first = idFloor(Math.max(countedUntilMs, fromMs));
  const hours = Array.from({ length: shownHours }, (_, at) => new Date(fromMs + at * hourMs));
  // Rows that seem to come from the next minutes count as of now.
  const hourOfId = Prisma.sql`least((uuid_v7_ms(id) - ${fromMs}::int8) / ${hourMs}::int8, ${Math.floor((nowMs - fromMs) / hourMs)}::int8)`;
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
    select (of_hour.number - 1)::int as hour, counted.state, sum(counted.count)::float8 as count
    from unnest(${hours}::timestamptz[]) with ordinality as of_hour(start, number)
    cross join unnest(${[...targetIds]}::uuid[]) as of_target(id)
    cross join lateral (
      select state, count from run_statistics
      where account_id = ${accountId}::uuid and hour = of_hour.start and target_id = of_target.id
    ) counted
    group by 1, 2
    union all
    select ${hourOfId}::int, state, count(*)::float8 from tail group by 1, 2`;
}

/** The newest runs of an hour whose calls are measured, of all targets together and of each. */
const sampledRuns = 100;
const minSampled = 10;

/** Runs that made no call, such as skipped ones, are read and left out. Steps are added up. */
function selectLatencies({ accountId, targetIds, fromMs }: Span): Prisma.Sql {
  const starts = Array.from({ length: shownHours }, (_, at) => fromMs + at * hourMs);
  const firsts = starts.map(idFloor);
  const ends = starts.map((ms, at) => (at === shownHours - 1 ? lastId : idFloor(ms + hourMs)));
  const each = Math.max(minSampled, Math.ceil(sampledRuns / Math.max(1, targetIds.length)));
  return Prisma.sql`
    select (of_hour.number - 1)::int as hour,
      percentile_cont(array[0.5, 0.95]) within group (order by call.duration_ms) as times
    from unnest(${firsts}::uuid[], ${ends}::uuid[]) with ordinality as of_hour(first_id, end_id, number)
    cross join unnest(${[...targetIds]}::uuid[]) as of_target(id)
    cross join lateral (
      select id, duration_ms, started_at, state, account_id from runs
      where target_id = of_target.id and id >= of_hour.first_id and id < of_hour.end_id
      order by id desc limit ${each}::int
    ) newest
    cross join lateral (
      select newest.duration_ms::float8 where newest.started_at is not null
      union all
      select sum(duration_ms)::float8 from run_steps where id = newest.id and item = -1 and newest.started_at is null
    ) call
    where newest.account_id = ${accountId}::uuid and newest.state in ('succeeded', 'failed') and call.duration_ms is not null
    group by grouping sets ((of_hour.number), ())
    having count(*) > 0`;
}

function toLatency(row: LatencyRow | undefined): Latency | null {
  const [p50Ms, p95Ms] = row?.times ?? [];
  return p50Ms === undefined || p95Ms === undefined ? null : { p50Ms, p95Ms };
}
