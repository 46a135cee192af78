import { Prisma } from "./generated/client.ts";
import { sqlStateOf } from "./is-data-error.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** What one sweep removed. */
export type Swept = {
  readonly partitions: readonly string[];
  readonly runs: number;
  readonly dedupeKeys: number;
  readonly others: number;
};

const batchRows = 5_000;

/**
 * Removes what is older than `cutoff`. Deliveries and attempts go by whole weeks, whose tables are dropped: that
 * frees the disk at once and leaves nothing to vacuum. The small rows of runs and dedupe keys are deleted in batches,
 * each its own transaction. An event that comes again after this is a new one.
 *
 * @param shouldStop asked between batches
 */
export async function sweepBefore(db: SqlDatabase, cutoff: Date, shouldStop: () => boolean): Promise<Swept> {
  const partitions = await dropPartitionsBefore(db, cutoff);
  const runs = await repeat(shouldStop, () => deleteRuns(db, cutoff));
  const dedupeKeys = await repeat(shouldStop, () => deleteDedupeKeys(db, cutoff));
  const others = await db.$executeRaw`delete from rejected_counts where minute < ${cutoff}`;
  return { partitions, runs, dedupeKeys, others };
}

/** Removes what is only kept for a while whatever the retention. @returns how many rows went */
export async function sweepShortLived(db: SqlDatabase): Promise<number> {
  return db.$executeRaw`
    with keys as (delete from idempotency_keys where created_at < now() - interval '24 hours' returning 1),
      links as (delete from setup_tokens where expires_at < now() - interval '7 days' returning 1),
      jobs as (delete from bulk_jobs where finished_at < now() - interval '30 days' returning 1)
    select 1 from keys union all select 1 from links union all select 1 from jobs`;
}

type PartitionRow = { readonly parent: string; readonly child: string };

async function dropPartitionsBefore(db: SqlDatabase, cutoff: Date): Promise<readonly string[]> {
  const rows = await db.$queryRaw<PartitionRow[]>`
    select parent.relname::text as parent, child.relname::text as child
    from pg_inherits
    join pg_class parent on parent.oid = pg_inherits.inhparent
    join pg_class child on child.oid = pg_inherits.inhrelid
    where parent.relname in ('deliveries', 'attempts') and parent.relnamespace = current_schema()::regnamespace
    order by child.relname`;
  const old = rows.filter(({ parent, child }) => isBefore(weekEnd(parent, child), cutoff));
  const dropped: string[] = [];
  for (const { child } of old) {
    // Each try holds deliveries up for as long as it waits: one is enough.
    if (!(await dropPartition(db, child))) break;
    dropped.push(child);
  }
  return dropped;
}

/** `deliveries_20261116` is the week that begins on that Monday; null for the default partition. */
function weekEnd(parent: string, child: string): Date | null {
  const day = new RegExp(`^${parent}_(\\d{4})(\\d{2})(\\d{2})$`).exec(child);
  if (day === null) return null;
  const [, year, month, date] = day.map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (date ?? 1) + 7));
}

function isBefore(end: Date | null, cutoff: Date): boolean {
  return end !== null && end.getTime() <= cutoff.getTime();
}

/**
 * Dropping locks the parent for an instant. Behind a long query that lock would hold up every delivery, so it is
 * given up after a second and tried at the next sweep; what else there is to remove does not wait for it.
 *
 * @returns whether it is gone
 */
async function dropPartition(db: SqlDatabase, child: string): Promise<boolean> {
  if (!/^(deliveries|attempts)_\d{8}$/.test(child)) throw new Error(`Not a partition of ours: ${child}`);
  try {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local lock_timeout = '1s'`;
      // The name is checked above; a table's name can't be a parameter. Another process may have been quicker.
      await tx.$executeRaw(Prisma.raw(`drop table if exists "${child}"`));
    });
    return true;
  } catch (error) {
    if (sqlStateOf(error) === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = "55P03";

/** One that has an attempt ahead, or is held, stays until the week of its delivery is gone as well. */
function deleteRuns(db: SqlDatabase, cutoff: Date): Promise<number> {
  const weekBefore = new Date(cutoff.getTime() - 8 * 86_400_000);
  return db.$executeRaw`
    delete from runs where id in (
      select id from runs
      where id < uuid_v7_floor(${cutoff}) and (finished_at is not null or id < uuid_v7_floor(${weekBefore}))
      order by id limit ${batchRows}
    )`;
}

function deleteDedupeKeys(db: SqlDatabase, cutoff: Date): Promise<number> {
  return db.$executeRaw`
    delete from dedupe_keys where ctid = any(array(
      select ctid from dedupe_keys where created_at < ${cutoff} limit ${batchRows}
    ))`;
}

async function repeat(shouldStop: () => boolean, deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  while (!shouldStop()) {
    const deleted = await deleteBatch();
    total += deleted;
    if (deleted < batchRows) return total;
  }
  return total;
}
