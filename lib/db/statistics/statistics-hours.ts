import { Prisma } from "#lib/db/generated/client.ts";
import { idFloor } from "#lib/db/postgres/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { deliveryStatuses } from "#lib/schema/delivery.ts";
import { storedRunStates } from "#lib/schema/run-states.ts";

export const hourMs = 3_600_000;

export function toHour(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/**
 * For a transaction that counts: makes all of its lookups use an index. Without table statistics
 * (the first minutes of a database or of a week's partition), the planner reads the whole index of
 * ids for every run whose attempt it looks up.
 */
export async function walkAlongIndexes(tx: SqlStatements): Promise<void> {
  await tx.$executeRaw`set local enable_bitmapscan = off`;
  await tx.$executeRaw`set local enable_seqscan = off`;
}

type Hours = {
  readonly accountId: string;
  readonly hookIds: readonly string[];
  /** The start of the first hour. */
  readonly fromMs: number;
  /** How far the roll-up has got. Null: it has not started. */
  readonly countedUntilMs: number | null;
  readonly nowMs: number;
};

/** Maximum rows read beyond the roll-up: 40 s of 2,500 deliveries and of 1,000 runs a second. */
const maxTail = 100_000;
const maxTailRuns = 40_000;
/** Without a worker nothing is rolled up: this many hours are counted from the rows themselves. */
const maxTailHours = 24;

/**
 * `with` parts: `counted` has `hour, hook_id, status, count` of rolled-up and other rows. `tail`
 * has the latter, row by row, at most `maxTail`.
 */
export function deliveryCounts(hours: Hours): Prisma.Sql {
  return Prisma.sql`
    tail as materialized (
      select span.hour, of_hook.id as hook_id, of_status.name as status
      from ${spans(hours)}
      cross join unnest(${[...hours.hookIds]}::uuid[]) as of_hook(id)
      cross join unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
      cross join lateral (
        select from deliveries d
        where (d.hook_id, d.status, d.id) >= (of_hook.id, of_status.name, span.first)
          and (d.hook_id, d.status, d.id) < (of_hook.id, of_status.name, span.last) and d.id >= span.first and d.id < span.last
      ) found
      limit ${maxTail}::int
    ), counted as (
      select hour, hook_id, status, count from delivery_statistics
      where account_id = ${hours.accountId}::uuid and hour >= ${new Date(hours.fromMs)} and hook_id = any (${[...hours.hookIds]}::uuid[])
      union all
      select hour, hook_id, status, count(*) from tail group by hour, hook_id, status
    )`;
}

/** The same for runs: `hour, hook_id, target_id, state, count`. */
export function runCounts(hours: Hours): Prisma.Sql {
  return Prisma.sql`
    tail as materialized (
      select span.hour, found.hook_id, found.target_id, of_state.name as state
      from ${spans(hours)}
      cross join unnest(${storedRunStates}::text[]) as of_state(name)
      cross join lateral (
        select hook_id, target_id from runs r
        where (r.account_id, r.state, r.id) >= (${hours.accountId}::uuid, of_state.name, span.first)
          and (r.account_id, r.state, r.id) < (${hours.accountId}::uuid, of_state.name, span.last)
      ) found
      limit ${maxTailRuns}::int
    ), counted as (
      select hour, hook_id, target_id, state, count from run_statistics
      where account_id = ${hours.accountId}::uuid and hour >= ${new Date(hours.fromMs)} and hook_id = any (${[...hours.hookIds]}::uuid[])
      union all
      select hour, hook_id, target_id, state, count(*) from tail where hook_id = any (${[...hours.hookIds]}::uuid[])
      group by hour, hook_id, target_id, state
    )`;
}

/** Runs not rolled up yet whose wait is looked up. */
const maxTailWaits = 500;

/**
 * Waits for the first call, as `bucket, count`: rolled-up ones, and a few hundred of the newest.
 */
export function waitCounts({ accountId, fromMs, countedUntilMs, nowMs }: Hours): Prisma.Sql {
  const since = idFloor(Math.max(countedUntilMs ?? fromMs, fromMs, nowMs - maxTailHours * hourMs));
  return Prisma.sql`
    newest as materialized (
      select id, delivery_id from unnest(array['succeeded', 'failed']) as of_state(name)
      cross join lateral (
        select id, delivery_id from runs r
        where (r.account_id, r.state, r.id) >= (${accountId}::uuid, of_state.name, ${since}::uuid)
          and (r.account_id, r.state) = (${accountId}::uuid, of_state.name) and delivery_id >= ${since}::uuid
        order by r.id desc limit ${maxTailWaits}::int
      ) found
    ), counted as (
      select bucket, count from wait_statistics where account_id = ${accountId}::uuid and hour >= ${new Date(fromMs)}
      union all
      select ${waitBucketSql(Prisma.sql`(extract(epoch from first.started_at) * 1000)::float8 - uuid_v7_ms(newest.delivery_id)`)}, 1
      from newest cross join lateral (
        select started_at from attempts where run_id = newest.id and number = 1 and id >= ${since}::uuid limit 1
      ) first
    )`;
}

/** Same as `waitBucket` in lib/core/statistics. */
export function waitBucketSql(ms: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(4 * ln(greatest(0, ${ms}) + 1) / ln(2::float8))::int`;
}

/** From where the roll-up has got to until now, cut at the hours, as id bounds. */
function spans({ countedUntilMs, fromMs, nowMs }: Hours): Prisma.Sql {
  const earliest = Math.max(fromMs, toHour(nowMs) - (maxTailHours - 1) * hourMs);
  const starts: number[] = [];
  // Clocks differ: rows that seem to come from the next minutes count as of now.
  for (
    let at = Math.max(countedUntilMs ?? earliest, earliest);
    at <= nowMs;
    at = toHour(at) + hourMs
  )
    starts.push(at);
  const ends = starts.map((at) =>
    toHour(at) + hourMs > nowMs ? nowMs + hourMs : toHour(at) + hourMs,
  );
  return Prisma.sql`(
    select to_timestamp(hour_ms / 1000) as hour, first, last
    from unnest(${starts.map(toHour)}::float8[], ${starts.map(idFloor)}::uuid[], ${ends.map(idFloor)}::uuid[]) as t(hour_ms, first, last)
  ) span`;
}
