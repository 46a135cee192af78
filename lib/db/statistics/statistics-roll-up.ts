import { idFloor } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { recountUsage } from "#lib/db/usage/keep-usage.ts";
import { readKeptCounts, restoreKeptCounts } from "./kept-counts.ts";
import { forgetDay, sumNextDay } from "./statistics-days.ts";
import { firstCall, hourMs, toHour, waitBucketSql } from "./statistics-hours.ts";

/**
 * Ids are created up to seconds before their rows are committed, so younger ones are not counted
 * yet.
 */
const settleMs = 30_000;
/** The minimum slice. A shorter one is left for the next round. */
const minSliceMs = 10_000;
/**
 * The time after which a closed hour is counted again, for late rows: from another machine's clock,
 * or a statement that hung.
 */
const closingMs = 5 * 60_000;
/**
 * The interval for hours with open runs, whose states change. They are counted again, for at most a
 * five-hundredth of the time.
 */
const recountEveryMs = 60_000;
const recountShare = 500;
/** Approximate number of runs per account and hour whose waiting time is looked up. */
const waitSamples = 2_000;

/**
 * Marks the hours of these ids for a recount in the next round, because something in them has
 * changed.
 */
export async function recountHours(db: SqlStatements, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    update statistics_hours set recount_at = now()
    where hour in (
      select distinct to_timestamp(uuid_v7_ms(id) / ${hourMs}::bigint * ${hourMs / 1000}::bigint) from unnest(${[...ids]}::uuid[]) as t(id)
    ) and (recount_at is null or recount_at > now())`;
  await recountUsage(db, ids);
}

/** Removes counts that no page shows anymore. */
export async function sweepStatistics(db: SqlDatabase): Promise<void> {
  const before = new Date(Date.now() - retentionDays * 24 * hourMs);
  await db.$executeRaw`
    with delivered as (delete from delivery_statistics where hour < ${before}),
      listened as (delete from listening_hours where hour < ${before}),
      ran as (delete from run_statistics where hour < ${before}),
      waited as (delete from wait_statistics where hour < ${before}),
      summed as (delete from hook_days where day < ${before}),
      days as (delete from statistics_days where day < ${before})
    delete from statistics_hours where hour < ${before}`;
}

const retentionDays = 90;

type Step = {
  readonly hourMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Replaces the hour's rows instead of adding to them. */
  readonly isRecount: boolean;
};

/**
 * Counts deliveries, runs, and waiting times of an hour into hourly rows: first new rows, then
 * hours with changes, then older hours that were never counted, then days. Storing a delivery does no work for
 * it. Only one process at a time can enter the transaction.
 *
 * @param sinceMs the time in Unix milliseconds before which nothing is counted
 * @returns true if there was anything to count
 */
export async function rollUpStep(db: SqlDatabase, sinceMs: number): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    const [{ isOurs } = { isOurs: false }] = await tx.$queryRaw<{ isOurs: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtext('roll_up_statistics')) as "isOurs"`;
    if (!isOurs) return false;
    await walkAlongIndexes(tx);
    const step = await chooseStep(tx, sinceMs);
    if (step === null) return await sumNextDay(tx);
    await countHour(tx, step);
    await forgetDay(tx, step.hourMs);
    return true;
  });
}

type Progress = {
  now: number;
  first: number | null;
  until: number | null;
  due: number | null;
  oldest: number | null;
};

async function chooseStep(tx: SqlStatements, sinceMs: number): Promise<Step | null> {
  // The column rounds to milliseconds, so a time that was just written may be later than now().
  const [row] = await tx.$queryRaw<Progress[]>`
    select ${toMs(Prisma.sql`now()`)} as now,
      (select ${toMs(Prisma.sql`min(hour)`)} from statistics_hours) as first,
      (select ${toMs(Prisma.sql`max(counted_until)`)} from statistics_hours) as until,
      (select ${toMs(Prisma.sql`hour`)} from statistics_hours where recount_at <= now()::timestamptz(3) and hour >= ${new Date(sinceMs)}
        order by recount_at limit 1) as due,
      least(
        (select uuid_v7_ms(id) from deliveries where id >= ${idFloor(sinceMs)}::uuid order by id limit 1),
        (select uuid_v7_ms(id) from runs where id >= ${idFloor(sinceMs)}::uuid order by id limit 1),
        (select uuid_v7_ms(id) from queue where id >= ${idFloor(sinceMs)}::uuid order by id limit 1)
      )::float8 as oldest`;
  if (row === undefined) return null;
  const { now, due, oldest } = row;
  const settled = now - settleMs;
  const until = Math.max(row.until ?? toHour(settled), toHour(sinceMs));
  if (settled > until + minSliceMs) return addTo(until, settled);
  if (due !== null) return recount(due, until);
  const first = row.first ?? until;
  if (oldest !== null && first > Math.max(oldest, sinceMs)) return recount(first - hourMs, until);
  return null;
}

function addTo(fromMs: number, untilMs: number): Step {
  const hour = toHour(fromMs);
  return { hourMs: hour, fromMs, untilMs: Math.min(untilMs, hour + hourMs), isRecount: false };
}

function recount(hour: number, untilMs: number): Step {
  return { hourMs: hour, fromMs: hour, untilMs: Math.min(untilMs, hour + hourMs), isRecount: true };
}

function toMs(instant: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(extract(epoch from ${instant}) * 1000)::float8`;
}

async function countHour(tx: SqlStatements, step: Step): Promise<void> {
  const hour = new Date(step.hourMs);
  const closedMs = step.hourMs + hourMs;
  const kept = step.isRecount ? await readKeptCounts(tx, hour) : null;
  if (step.isRecount) {
    await tx.$executeRaw`delete from delivery_statistics where hour = ${hour}`;
    await tx.$executeRaw`delete from run_statistics where hour = ${hour}`;
    await tx.$executeRaw`delete from wait_statistics where hour = ${hour}`;
  }
  await countDeliveries(tx, step);
  await countRuns(tx, step);
  if (kept !== null) await restoreKeptCounts(tx, hour, kept);
  await countWaits(tx, step);
  await tx.$executeRaw`
    insert into statistics_hours as known (hour, counted_until, recount_at)
    select ${hour}, ${new Date(step.untilMs)}, case
      when exists (select from run_statistics where hour = ${hour} and state in ('queued', 'retrying'))
        then now() + greatest(${recountEveryMs}::int, ${recountShare}::int * ${toMs(Prisma.sql`clock_timestamp() - now()`)}) * interval '1 ms'
      when ${step.untilMs === closedMs} and now() < ${new Date(closedMs + closingMs)} then ${new Date(closedMs + closingMs)}
    end
    on conflict (hour) do update set counted_until = excluded.counted_until, recount_at = excluded.recount_at`;
}

/**
 * Counts deliveries in one walk along the ids, regardless of the number of hooks. Bodies are never
 * read. Keeps the newest delivery of each hook. Rows are written in the order of their index, so that
 * neighbors share a page when they are read.
 */
async function countDeliveries(
  tx: SqlStatements,
  { hourMs: hour, fromMs, untilMs }: Step,
): Promise<void> {
  await tx.$executeRaw`
    with found as materialized (
      select d.id, h.account_id, d.hook_id, d.status, d.received_at, d.is_sample
      from deliveries d join hooks h on h.id = d.hook_id and h.deleted_at is null
      where d.id >= ${idFloor(fromMs)}::uuid and d.id < ${idFloor(untilMs)}::uuid
    ), kept as (
      insert into last_deliveries as known (hook_id, account_id, delivery_id, status, received_at)
      select distinct on (hook_id) hook_id, account_id, id, status, received_at from found order by hook_id, id desc
      on conflict (hook_id) do update
        set delivery_id = excluded.delivery_id, status = excluded.status, received_at = excluded.received_at
        where known.delivery_id <= excluded.delivery_id
    )
    insert into delivery_statistics as known (account_id, hour, hook_id, status, count, minutes)
    select account_id, ${new Date(hour)}, hook_id, status, count(*),
      coalesce(bit_or(1::bigint << (uuid_v7_ms(id) / 60000 % 60)::int) filter (where status = 'accepted' and not is_sample), 0)
    from found group by account_id, hook_id, status order by account_id, hook_id, status
    on conflict (account_id, hour, hook_id, status) do update
      set count = known.count + excluded.count, minutes = known.minutes | excluded.minutes`;
}

/** Counts open and ended runs in one statement, because a run moves from one table to the other. */
async function countRuns(
  tx: SqlStatements,
  { hourMs: hour, fromMs, untilMs }: Step,
): Promise<void> {
  const inSpan = Prisma.sql`id >= ${idFloor(fromMs)}::uuid and id < ${idFloor(untilMs)}::uuid`;
  await tx.$executeRaw`
    insert into run_statistics as known (account_id, hour, target_id, state, hook_id, count)
    select account_id, ${new Date(hour)}, target_id, state, hook_id, count(*) from (
      select account_id, target_id, state, hook_id from runs where ${inSpan}
      union all
      select account_id, target_id, case when reason_code is null then 'queued' else 'retrying' end, hook_id from queue where ${inSpan}
    ) run
    group by account_id, target_id, state, hook_id order by account_id, target_id, state
    on conflict (account_id, hour, target_id, state) do update set count = known.count + excluded.count`;
}

/**
 * The time from the delivery (from its id) to the start of the first attempt, for about
 * `waitSamples` runs per account. Each stands for as many as were left out. Replays are excluded:
 * their deliveries are older than the hour.
 */
async function countWaits(
  tx: SqlStatements,
  { hourMs: hour, fromMs, untilMs }: Step,
): Promise<void> {
  await tx.$executeRaw`
    with account as materialized (
      select account_id, greatest(1, sum(count) / ${waitSamples}::int)::int as nth from run_statistics
      where hour = ${new Date(hour)} group by account_id
    ), waited as (
      select r.account_id, account.nth, ${waitBucketSql(Prisma.sql`${toMs(Prisma.sql`first.started_at`)} - uuid_v7_ms(r.delivery_id)`)} as bucket
      from (
        select id, account_id, delivery_id, attempt_count, started_at from runs
        union all
        select id, account_id, delivery_id, attempt_count, null from queue
      ) r join account using (account_id)
      cross join lateral ${firstCall("r", idFloor(fromMs - settleMs))} first
      where r.id >= ${idFloor(fromMs)}::uuid and r.id < ${idFloor(untilMs)}::uuid and uuid_hash(r.id) % account.nth = 0
        and r.attempt_count > 0 and r.delivery_id >= ${idFloor(fromMs - settleMs)}::uuid
    )
    insert into wait_statistics as known (account_id, hour, bucket, count)
    select account_id, ${new Date(hour)}, bucket, sum(nth) from waited group by 1, 3
    on conflict (account_id, hour, bucket) do update set count = known.count + excluded.count`;
}
