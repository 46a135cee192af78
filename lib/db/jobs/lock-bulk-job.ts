import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";

export type RowKind = BulkKind | "replay" | "replay_missing" | "accept" | "take_in";

/** A row of `bulk_jobs` that one process holds until its transaction ends. */
export type LockedJob<Filter> = {
  readonly id: string;
  readonly accountId: string;
  readonly filter: Filter;
  /** The id at which its last batch ended. */
  readonly seenBefore: string;
  readonly changedCount: number;
  /** Null: no limit. */
  readonly ratePerMinute: number | null;
  readonly stopAfterFailures: number | null;
  /** True until the outcome of its first runs is known. */
  readonly isTrial: boolean;
  /** The number of its runs that had failed when it was resumed. */
  readonly failedBefore: number;
  /** The time since it became due, at most a second: a pause isn't caught up on. */
  readonly dueForMs: number;
};

/**
 * True if a job of this kind is due. Most of the time there is none, and this check is the only
 * cost.
 */
export async function hasDueJob(db: SqlStatements, kind: RowKind): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    select 1 from bulk_jobs
    where finished_at is null and kind = ${kind} and status = 'running' and coalesce(next_at <= now(), true) limit 1`;
  return found.length > 0;
}

/** Locks a job. Null: none is due, or other processes hold those that are. */
export async function lockBulkJob<Filter>(
  tx: SqlStatements,
  kind: RowKind,
): Promise<LockedJob<Filter> | null> {
  const [job] = await tx.$queryRaw<LockedJob<Filter>[]>`
    select id, account_id as "accountId", filter, seen_before as "seenBefore", failed_before as "failedBefore",
      changed_count as "changedCount", rate_per_minute as "ratePerMinute", stop_after_failures as "stopAfterFailures",
      is_trial as "isTrial",
      (date_part('epoch', now() - greatest(coalesce(next_at, now()), now() - interval '1 second')) * 1000)::float8 as "dueForMs"
    from bulk_jobs
    where finished_at is null and kind = ${kind} and status = 'running' and coalesce(next_at <= now(), true)
    order by random() limit 1 for update skip locked`;
  return job ?? null;
}

export type JobProgress = {
  readonly seenBefore: string;
  readonly isAtEnd: boolean;
  readonly changed: number;
  readonly duplicates?: number;
  readonly rejected?: number;
  readonly notStored?: number;
  /** The time until its next batch, as required by its rate. Null: it has no rate. */
  readonly restMs: number | null;
};

export async function storeProgress(
  tx: SqlStatements,
  id: string,
  progress: JobProgress,
): Promise<void> {
  const { seenBefore, isAtEnd, changed, restMs } = progress;
  const { duplicates = 0, rejected = 0, notStored = 0 } = progress;
  await tx.$executeRaw`
    update bulk_jobs set seen_before = ${seenBefore}::uuid, changed_count = changed_count + ${changed}::int,
      duplicate_count = duplicate_count + ${duplicates}::int, rejected_count = rejected_count + ${rejected}::int,
      not_stored_count = not_stored_count + ${notStored}::int, is_trial = is_trial and not ${isAtEnd},
      pause_reason = null, next_at = case when ${restMs}::float8 is null then next_at
        else greatest(coalesce(next_at, now()), now() - interval '1 second') + ${restMs}::float8 * interval '1 ms' end,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${id}::uuid`;
}

/**
 * Records why the last batch of a running job failed. It is the job's `pause_reason` until a batch succeeds: a job
 * that runs has no other.
 */
export async function recordFailedBatch(
  db: SqlStatements,
  id: string,
  reason: string,
): Promise<void> {
  await db.$executeRaw`
    update bulk_jobs set pause_reason = 'Its last batch failed at ' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')
      || ' UTC, and is tried again: ' || ${reason}::text
    where id = ${id}::uuid and status = 'running'`;
}

/** Pauses a job until a user resumes it. */
export async function pauseJob(tx: SqlStatements, id: string, reason: string): Promise<void> {
  await tx.$executeRaw`
    update bulk_jobs set status = 'paused', pause_reason = ${reason} where id = ${id}::uuid`;
}

/** Postpones a job by a second, because enough of its runs are open. */
export async function postponeJob(tx: SqlStatements, id: string): Promise<void> {
  await tx.$executeRaw`
    update bulk_jobs set next_at = now() + interval '1 second' where id = ${id}::uuid`;
}

/** The trial of a job has succeeded: it continues with the others. */
export async function endTrial(tx: SqlStatements, id: string): Promise<void> {
  await tx.$executeRaw`update bulk_jobs set is_trial = false where id = ${id}::uuid`;
}
