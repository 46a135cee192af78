import { pruneSignInThrottles } from "#lib/db/accounts/sign-in-throttle.ts";
import { type BeforeDrop, dropTables, dropWeeksBefore } from "#lib/db/archive/drop-weeks.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { forgetKeptWeeks, isKept } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { listPartitions, partitionName } from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { pruneAuthorizationCodes } from "#lib/db/sign-in/authorization-codes.ts";
import { pruneDeviceSignIns } from "#lib/db/sign-in/device-sign-ins.ts";
import { pruneClients } from "#lib/db/sign-in/oauth-clients.ts";
import { keptUsage } from "#lib/db/usage/keep-usage.ts";
import { runUsage } from "#lib/db/usage/select-usage.ts";
import { deleteOrphans, deleteStrays } from "./strays.ts";

/** The number of rows that one sweep removed. */
type Swept = {
  readonly partitions: readonly string[];
  /** Deliveries and events that outlive their week. */
  readonly moved: number;
  /** Weeks that stay because too much outlives them. */
  readonly stuck: readonly string[];
  /** Deliveries and events outside any weekly partition. */
  readonly strays: number;
  /** Runs of removed deliveries and events from later weeks, or from before runs had weeks. */
  readonly runs: number;
  /** Dedupe keys of deliveries and of published events. */
  readonly dedupeKeys: number;
  readonly others: number;
};

const batchRows = 5_000;

/**
 * Removes what is older than `cutoff`. A delivery or event is removed with its runs and their
 * attempts when its week is over: dropping the week's tables frees the disk at once and leaves
 * nothing to vacuum. What was stored later than its week says, and what has an open run, outlives it.
 * Rows outside any week go by when they were stored. They, rows of these deliveries in later weeks,
 * and dedupe keys are deleted in batches, each in its own transaction.
 * An event that arrives again after that counts as new. Restored weeks stay until their time is over.
 *
 * @param shouldStop checked between batches
 * @param beforeDrop what has to be done before a week is dropped
 */
export async function sweepBefore(
  db: SqlDatabase,
  cutoff: Date,
  shouldStop: () => boolean,
  beforeDrop?: BeforeDrop,
): Promise<Swept> {
  const weeks = await dropWeeksBefore(db, cutoff, beforeDrop);
  const { dropped: partitions, firstLeft, moved, stuck } = weeks;
  const prepareStrays = beforeDrop?.prepareStrays ?? (async () => true);
  const strays = await deleteStrays(db, firstLeft, shouldStop, prepareStrays);
  const runs =
    (await repeat(shouldStop, () => deleteOpenRuns(db, firstLeft))) +
    (await repeat(shouldStop, () => deleteLaterRuns(db, firstLeft))) +
    (await repeat(shouldStop, () => deleteEarlierRuns(db, firstLeft)));
  await repeat(shouldStop, () => deleteLaterAttempts(db, firstLeft));
  await repeat(shouldStop, () => deleteOrphans(db, firstLeft, batchRows));
  await db.$executeRaw`
    delete from last_deliveries l where delivery_id < uuid_v7_floor(${firstLeft})
      and not exists (select from deliveries d where d.id = l.delivery_id)`;
  await forgetKeptWeeks(db);
  const dedupeKeys =
    (await repeat(shouldStop, () => deleteDedupeKeys(db, cutoff))) +
    (await repeat(shouldStop, () => deleteEventKeys(db, firstLeft)));
  const others = await db.$executeRaw`delete from rejected_counts where minute < ${cutoff}`;
  return { partitions, moved, stuck, strays, runs, dedupeKeys, others };
}

/** Removes short-lived rows, regardless of the retention. @returns the number of rows */
export async function sweepShortLived(db: SqlDatabase): Promise<number> {
  const swept = await db.$executeRaw`
    with keys as (delete from idempotency_keys where created_at < now() - interval '24 hours' returning 1),
      links as (delete from setup_tokens where expires_at < now() - interval '7 days' returning 1),
      jobs as (delete from bulk_jobs job where finished_at < now() - interval '30 days' and not ${repeatsSent} returning 1),
      tests as (delete from backtests where finished_at < now() - interval '24 hours' returning 1),
      searches as (delete from gaps where finished_at < now() - interval '90 days' returning 1),
      listed as (delete from gap_events e using gaps g where g.id = e.gap_id and g.finished_at < now() - interval '7 days'
        and e.state <> 'taken' returning 1),
      problems as (delete from problems where resolved_at < now() - interval '90 days' returning 1),
      counts as (delete from problem_counts where minute < now() - interval '30 days' returning 1),
      views as (delete from saved_views where deleted_at < now() - interval '1 minute' returning 1)
    select 1 from keys union all select 1 from links union all select 1 from jobs union all select 1 from tests
      union all select 1 from searches union all select 1 from listed
      union all select 1 from problems union all select 1 from counts union all select 1 from views`;
  const signIns = (await pruneDeviceSignIns(db)) + (await pruneAuthorizationCodes(db));
  return swept + signIns + (await pruneClients(db)) + (await pruneSignInThrottles(db));
}

/**
 * Condition on a finished `job`: one of its runs sends a request as it was, and is still stored. Without the job, a
 * retry would send another request. A limit keeps the planner from reading the whole queue.
 */
const repeatsSent = Prisma.sql`exists (
    select from bulk_job_runs made where made.job_id = job.id and made.sent_by is not null and coalesce(
      (select id from queue where id = made.run_id limit 1), (select id from runs where id = made.run_id limit 1)
    ) is not null
  )`;

/** Deletes open runs whose delivery or event is gone, so that they can't be made. */
async function deleteOpenRuns(db: SqlDatabase, before: Date): Promise<number> {
  const isGone = Prisma.sql`not exists (select from deliveries d where d.id = queue.delivery_id)
    and not exists (select from events e where e.id = queue.event_id)`;
  return await deleteWithAttempts(
    db,
    Prisma.sql`
      delete from queue where id = any (array(
        (select id from queue where id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`id`)} and ${isGone}
          order by id limit ${batchRows})
        union
        (select id from queue where has_own_id and delivery_id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`delivery_id`)}
          and ${isGone} order by delivery_id limit ${batchRows})
        union
        (select id from queue where has_own_id and event_id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`event_id`)}
          and ${isGone} order by event_id limit ${batchRows})
        limit ${batchRows}
      ))`,
  );
}

/**
 * Deletes replays whose delivery or event is gone, and runs of the version whose runs had no weeks.
 */
async function deleteLaterRuns(db: SqlDatabase, before: Date): Promise<number> {
  return await deleteWithAttempts(
    db,
    Prisma.sql`
      delete from runs where id = any (array(
        (select id from runs where has_own_id and delivery_id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`delivery_id`)}
          and not exists (select from deliveries d where d.id = runs.delivery_id) order by delivery_id limit ${batchRows})
        union
        (select id from runs where has_own_id and event_id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`event_id`)}
          and not exists (select from events e where e.id = runs.event_id) order by event_id limit ${batchRows})
        limit ${batchRows}
      ))`,
  );
}

/**
 * Deletes the rest of that version's table: runs without a delivery, and runs made with a delivery
 * whose id is older than the table's end. Drops the table when it is empty.
 */
async function deleteEarlierRuns(db: SqlDatabase, before: Date): Promise<number> {
  const partitions = await listPartitions(db, ["runs"]);
  if (!partitions.some(({ name }) => name === runsBefore)) return 0;
  const table = partitionName(runsBefore);
  const deleted = await deleteWithAttempts(
    db,
    Prisma.sql`
      delete from ${table} where id = any (array(
        select id from ${table} where (delivery_id is null or not has_own_id) and id < uuid_v7_floor(${before})
          and not ${isKept(Prisma.sql`id`)} order by id limit ${batchRows}
      ))`,
  );
  if (deleted === batchRows) return deleted;
  const left = await db.$queryRaw<unknown[]>`select from ${table} limit 1`;
  if (left.length === 0) await dropTables(db, [runsBefore]);
  return deleted;
}

const runsBefore = "runs_before";

/** @param deleteRuns a statement without `returning` */
async function deleteWithAttempts(db: SqlDatabase, deleteRuns: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    with gone as (
      ${deleteRuns} returning id, account_id, hook_id, target_id, event_id, attempt_count
    ), ${keptUsage(runUsage(Prisma.sql`gone`))}, tried as (
      delete from attempts where run_id = any (array(select id from gone))
    ), stepped as (
      delete from run_steps where id = any (array(select id from gone))
    )
    select count(*)::int as count from gone`;
  return row?.count ?? 0;
}

/**
 * Deletes attempts in later weeks of runs that were dropped with their week: they were retried days
 * later.
 */
async function deleteLaterAttempts(db: SqlDatabase, before: Date): Promise<number> {
  return await db.$executeRaw`
    delete from attempts where id = any (array(
      select id from attempts a where run_id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`run_id`)}
        and not exists (select from queue q where q.id = a.run_id) and not exists (select from runs r where r.id = a.run_id)
      order by run_id limit ${batchRows}
    ))`;
}

function deleteDedupeKeys(db: SqlDatabase, cutoff: Date): Promise<number> {
  return db.$executeRaw`
    delete from dedupe_keys where ctid = any(array(
      select ctid from dedupe_keys where created_at < ${cutoff} limit ${batchRows}
    ))`;
}

/** An event is found by its id, and published once, as long as it is stored. */
function deleteEventKeys(db: SqlDatabase, before: Date): Promise<number> {
  return db.$executeRaw`
    delete from event_keys where ctid = any(array(
      select ctid from event_keys where created_at < ${before} and event_id < uuid_v7_floor(${before})
        and not exists (select from events e where e.id = event_keys.event_id) limit ${batchRows}
    ))`;
}

async function repeat(
  shouldStop: () => boolean,
  deleteBatch: () => Promise<number>,
): Promise<number> {
  let total = 0;
  while (!shouldStop()) {
    const deleted = await deleteBatch();
    total += deleted;
    if (deleted < batchRows) return total;
  }
  return total;
}
