import { idFloor, lastId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { ownQueues } from "#lib/db/queue/claim/own-queues.ts";
import type { CountedDays } from "./statistics-days.ts";
import { selectRunTail, selectTail, type Tail } from "./statistics-tail.ts";

export const hourMs = 3_600_000;

export function toHour(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

type Hours = {
  readonly accountId: string;
  readonly hookIds: readonly string[];
  /** The start of the first hour. */
  readonly fromMs: number;
  /** The time up to which the roll-up has counted. Null: it has not started. */
  readonly countedUntilMs: number | null;
  readonly nowMs: number;
  /** Sums that take the place of their hours. Omitted: every hour is read. */
  readonly counted?: CountedDays;
};

/**
 * The number of hours that are counted from the rows themselves. Without a worker, nothing is
 * rolled up.
 */
const maxTailHours = 24;

/**
 * `with` parts: `counted` has `hour, hook_id, status, count` of rolled-up and other rows. `tail`
 * has the latter, row by row.
 */
export function deliveryCounts(hours: Hours): Prisma.Sql {
  return Prisma.sql`
    tail as materialized (
      select ${hourOf(Prisma.sql`found.id`, hours)} as hour, found.hook_id, found.status from (${selectTail(toTail(hours))}) found
    ), counted as (
      select hour, hook_id, status, count from delivery_statistics
      where account_id = ${hours.accountId}::uuid and ${inHours(hours)} and hook_id = any (${[...hours.hookIds]}::uuid[])
      union all
      ${daysOf("deliveries", hours, Prisma.empty)}
      select hour, hook_id, status, count(*) from tail group by hour, hook_id, status
    )`;
}

/** The same for runs: `hour, hook_id, target_id, state, count`. `with recursive` parts. */
export function runCounts(hours: Hours): Prisma.Sql {
  return Prisma.sql`
    ${ownQueues(hours.accountId)}, tail as materialized (
      ${selectRunTail(toTail(hours))}
    ), counted as (
      select hour, hook_id, target_id, state, count from run_statistics
      where account_id = ${hours.accountId}::uuid and ${inHours(hours)} and hook_id = any (${[...hours.hookIds]}::uuid[])
      union all
      ${daysOf("runs", hours, Prisma.sql`null::uuid,`)}
      select ${hourOf(Prisma.sql`id`, hours)}, hook_id, target_id, state, count(*) from tail where hook_id = any (${[...hours.hookIds]}::uuid[])
      group by 1, hook_id, target_id, state
    )`;
}

/** The hours that are read by themselves. */
function inHours({ fromMs, counted }: Hours): Prisma.Sql {
  if (counted === undefined) return Prisma.sql`hour >= ${new Date(fromMs)}`;
  return Prisma.sql`hour = any (${[...counted.hours]}::timestamptz[])`;
}

/** The sums of days. Runs aren't summed by target. */
function daysOf(
  what: "deliveries" | "runs",
  { accountId, hookIds, counted }: Hours,
  target: Prisma.Sql,
): Prisma.Sql {
  if (counted === undefined || counted.days.length === 0) return Prisma.empty;
  return Prisma.sql`
      select day, hook_id, ${target} state, count from hook_days
      where account_id = ${accountId}::uuid and day = any (${[...counted.days]}::timestamptz[]) and counted = ${what}
        and hook_id = any (${[...hookIds]}::uuid[])
      union all`;
}

/** The number of runs not rolled up yet whose wait is looked up. */
const maxTailWaits = 500;

/**
 * Waits for the first call, as `bucket, count`: rolled-up ones, and a few hundred of the newest.
 */
export function waitCounts({ accountId, fromMs, countedUntilMs, nowMs }: Hours): Prisma.Sql {
  const since = idFloor(Math.max(countedUntilMs ?? fromMs, fromMs, nowMs - maxTailHours * hourMs));
  return Prisma.sql`
    newest as materialized (
      select id, delivery_id, attempt_count, started_at from runs
      where (account_id, id) >= (${accountId}::uuid, ${since}::uuid) and (account_id, id) <= (${accountId}::uuid, ${lastId}::uuid)
        and id >= ${since}::uuid and state in ('succeeded', 'failed') and delivery_id >= ${since}::uuid
      order by account_id desc, id desc limit ${maxTailWaits}::int
    ), counted as (
      select bucket, count from wait_statistics where account_id = ${accountId}::uuid and hour >= ${new Date(fromMs)}
      union all
      select ${waitBucketSql(Prisma.sql`(extract(epoch from first.started_at) * 1000)::float8 - uuid_v7_ms(newest.delivery_id)`)}, 1
      from newest cross join lateral ${firstCall("newest", since)} first
    )`;
}

/** `started_at` of a run's first attempt, in the run or among earlier attempts. */
export function firstCall(run: "newest" | "r", since: string): Prisma.Sql {
  const name = Prisma.raw(run);
  return Prisma.sql`(
    select ${name}.started_at where ${name}.attempt_count = 1 and ${name}.started_at is not null
    union all
    (
      select started_at from attempts
      where run_id = ${name}.id and number = 1 and id >= ${since}::uuid and not (${name}.attempt_count = 1 and ${name}.started_at is not null)
      limit 1
    )
  )`;
}

/** The SQL form of `waitBucket` in lib/core/watch. */
export function waitBucketSql(ms: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(4 * ln(greatest(0, ${ms}) + 1) / ln(2::float8))::int`;
}

/** The time between the roll-up and now, in Unix milliseconds. */
function toTail({ accountId, hookIds, countedUntilMs, fromMs, nowMs }: Hours): Tail {
  const earliest = Math.max(fromMs, toHour(nowMs) - (maxTailHours - 1) * hourMs);
  return { accountId, hookIds, sinceMs: Math.max(countedUntilMs ?? earliest, earliest), nowMs };
}

/** The hour of an id. Rows that seem to come from the next minutes count as of now. */
function hourOf(id: Prisma.Sql, { nowMs }: Hours): Prisma.Sql {
  return Prisma.sql`least(
    to_timestamp(uuid_v7_ms(${id}) / ${hourMs}::bigint * ${hourMs / 1000}::bigint), ${new Date(toHour(nowMs))}::timestamptz
  )`;
}
