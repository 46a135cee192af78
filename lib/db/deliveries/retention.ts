import { Prisma } from "#lib/db/generated/client.ts";
import { startOfWeek } from "#lib/db/postgres/partition-weeks.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";

/** What one sweep removed. */
export type Swept = {
  readonly partitions: readonly string[];
  /** Deliveries and attempts outside any weekly partition. */
  readonly strays: number;
  readonly runs: number;
  readonly dedupeKeys: number;
  readonly others: number;
};

const batchRows = 5_000;

/**
 * Removes what is older than `cutoff`. A delivery is removed with its runs and their attempts when
 * its week is over: dropping the week's tables frees the disk at once and leaves nothing to vacuum.
 * Rows outside any week (from a clock that was far off) and the small rows of runs and dedupe keys
 * are deleted in batches, each in its own transaction. An event that arrives again after that
 * counts as new.
 *
 * @param shouldStop checked between batches
 */
export async function sweepBefore(
  db: SqlDatabase,
  cutoff: Date,
  shouldStop: () => boolean,
): Promise<Swept> {
  const { dropped: partitions, firstLeft } = await dropWeeksBefore(db, cutoff);
  const strays = await repeat(shouldStop, () => deleteStrays(db, firstLeft));
  const runs = await repeat(shouldStop, () => deleteRuns(db, firstLeft));
  const dedupeKeys = await repeat(shouldStop, () => deleteDedupeKeys(db, cutoff));
  const others = await db.$executeRaw`delete from rejected_counts where minute < ${cutoff}`;
  return { partitions, strays, runs, dedupeKeys, others };
}

/** Removes short-lived rows, whatever the retention. @returns the number of rows */
export async function sweepShortLived(db: SqlDatabase): Promise<number> {
  return db.$executeRaw`
    with keys as (delete from idempotency_keys where created_at < now() - interval '24 hours' returning 1),
      links as (delete from setup_tokens where expires_at < now() - interval '7 days' returning 1),
      jobs as (delete from bulk_jobs where finished_at < now() - interval '30 days' returning 1)
    select 1 from keys union all select 1 from links union all select 1 from jobs`;
}

type PartitionRow = { readonly name: string; readonly day: string };

/** @returns `firstLeft`: the start of the first week that is kept or could not be dropped */
async function dropWeeksBefore(
  db: SqlDatabase,
  cutoff: Date,
): Promise<{ readonly dropped: readonly string[]; readonly firstLeft: Date }> {
  const firstRetained = new Date(startOfWeek(cutoff.getTime()));
  const rows = await db.$queryRaw<PartitionRow[]>`
    select child.relname::text as name, right(child.relname::text, 8) as day
    from pg_inherits
    join pg_class parent on parent.oid = pg_inherits.inhparent
    join pg_class child on child.oid = pg_inherits.inhrelid
    where parent.relname in ('deliveries', 'attempts') and parent.relnamespace = current_schema()::regnamespace
      and child.relname::text ~ ('^' || parent.relname || '_[0-9]{8}$')
    order by day, name`;
  const weeks = Map.groupBy(rows, ({ day }) => day);
  const dropped: string[] = [];
  for (const [day, tables] of weeks) {
    const week = toDate(day);
    if (week.getTime() >= firstRetained.getTime()) break;
    const names = tables.map(({ name }) => name);
    // Each try blocks deliveries while it waits, so try once.
    if (!(await dropTables(db, names))) return { dropped, firstLeft: week };
    dropped.push(...names);
  }
  return { dropped, firstLeft: firstRetained };
}

/** `20261116` is the week that starts on that Monday. */
function toDate(day: string): Date {
  return new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

/**
 * Drops the tables of past weeks. This locks the parents briefly, and behind a long query that lock
 * would block every delivery. So it gives up after a second and tries again at the next sweep, and
 * the runs of that week wait with it.
 *
 * @returns whether they are gone
 */
async function dropTables(db: SqlDatabase, names: readonly string[]): Promise<boolean> {
  if (!names.every((name) => /^(deliveries|attempts)_\d{8}$/.test(name)))
    throw new Error("Refusing to drop tables that are not weekly partitions");
  try {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local lock_timeout = '1s'`;
      // Checked above. A table name can't be a parameter. Another process may have dropped it
      // already.
      await tx.$executeRaw(
        Prisma.raw(`drop table if exists ${names.map((name) => `"${name}"`).join(", ")}`),
      );
    });
    return true;
  } catch (error) {
    if (sqlStateOf(error) === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = "55P03";

/** @returns the number from the table that had more to delete */
async function deleteStrays(db: SqlDatabase, before: Date): Promise<number> {
  const deliveries = await db.$executeRaw`
    delete from deliveries_default where id = any (array(
      select id from deliveries_default where id < uuid_v7_floor(${before}) order by id limit ${batchRows}
    ))`;
  const attempts = await db.$executeRaw`
    delete from attempts_default where id = any (array(
      select id from attempts_default where id < uuid_v7_floor(${before}) order by id limit ${batchRows}
    ))`;
  return Math.max(deliveries, attempts);
}

/** Runs whose delivery is gone, whenever they were created, with attempts from later weeks. */
async function deleteRuns(db: SqlDatabase, before: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    with old as materialized (
      (select id from runs where delivery_id < uuid_v7_floor(${before}) order by delivery_id limit ${batchRows})
      union
      (select id from runs where delivery_id is null and id < uuid_v7_floor(${before}) order by id limit ${batchRows})
      limit ${batchRows}
    ), gone as (
      delete from runs where id = any (array(select id from old)) returning id
    ), tried as (
      delete from attempts where run_id = any (array(select id from gone))
    )
    select count(*)::int as count from gone`;
  return row?.count ?? 0;
}

function deleteDedupeKeys(db: SqlDatabase, cutoff: Date): Promise<number> {
  return db.$executeRaw`
    delete from dedupe_keys where ctid = any(array(
      select ctid from dedupe_keys where created_at < ${cutoff} limit ${batchRows}
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
