import { firstId } from "#lib/core/api/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { LockedJob } from "./lock-bulk-job.ts";

/** The outcomes of the runs that a job has queued. Those that were removed are in none of them. */
export type OutcomeCounts = {
  readonly open: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cancelled: number;
};

/** A run that a job has queued. */
export type JobRun = {
  readonly id: string;
  /** The run whose request it sends as it was. Null: it is built like any other. */
  readonly sentBy: string | null;
};

/** The maximum number of open runs that are looked up at once. */
const maxLookedUp = 5_000;

/** Notes the runs that a job has queued, each as open. */
export async function recordJobRuns(
  tx: SqlStatements,
  jobId: string,
  runs: readonly JobRun[],
): Promise<void> {
  if (runs.length === 0) return;
  await tx.$executeRaw`
    with made as (
      insert into bulk_job_runs (job_id, run_id, sent_by)
      select ${jobId}::uuid, run.id, run.sent_by
      from unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ sentBy }) => sentBy)}::uuid[]) as run(id, sent_by)
      on conflict do nothing returning 1
    )
    update bulk_jobs set open_count = open_count + (select count(*)::int from made) where id = ${jobId}::uuid`;
}

/** True if outcomes of a job are to be looked up. Most of the time there is none. */
export async function hasUncounted(db: SqlStatements): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    select 1 from bulk_jobs where open_count > 0 and count_at <= now() limit 1`;
  return found.length > 0;
}

/** Locks the job that has waited longest for its outcomes. Null: none, or others hold it. */
export async function lockUncounted(tx: SqlStatements): Promise<string | null> {
  const [job] = await tx.$queryRaw<{ id: string }[]>`
    select id from bulk_jobs where open_count > 0 and count_at <= now()
    order by count_at limit 1 for update skip locked`;
  return job?.id ?? null;
}

/**
 * Looks up the next open runs of a locked job and counts those that have ended. Finishing a run
 * does no work for it. 5,000 runs took 27 to 48 ms while they were open and 65 ms once they had ended,
 * on a busy machine. It rests for 20 times as long as it took, so that jobs whose runs stay open for
 * days cost a twentieth of a core at most: at least a second, and at most ten, because it may have
 * waited for the processor. The look-up in the queue has a limit: as `not exists`, it would read the
 * whole queue once.
 */
export async function countOutcomes(tx: SqlStatements, jobId: string): Promise<OutcomeCounts> {
  const [counts] = await tx.$queryRaw<OutcomeCounts[]>`
    with looked_up as materialized (
      select run_id from bulk_job_runs
      where job_id = ${jobId}::uuid and outcome is null
        and run_id > coalesce((select counted_until from bulk_jobs where id = ${jobId}::uuid), ${firstId}::uuid)
      order by run_id limit ${maxLookedUp}::int
    ), known as materialized (
      select one.run_id, coalesce(
          (select state from runs where id = one.run_id limit 1),
          case when (select id from queue where id = one.run_id limit 1) is null then 'gone' end
        ) as outcome
      from looked_up one
    ), noted as (
      update bulk_job_runs made set outcome = known.outcome from known
      where made.job_id = ${jobId}::uuid and made.run_id = known.run_id and known.outcome is not null
      returning made.outcome
    ), found as (
      select count(*)::int as ended, count(*) filter (where outcome = 'succeeded')::int as succeeded,
        count(*) filter (where outcome = 'failed')::int as failed, count(*) filter (where outcome = 'skipped')::int as skipped,
        count(*) filter (where outcome = 'cancelled')::int as cancelled
      from noted
    )
    update bulk_jobs job set open_count = job.open_count - found.ended, succeeded_count = job.succeeded_count + found.succeeded,
      failed_count = job.failed_count + found.failed, skipped_count = job.skipped_count + found.skipped,
      cancelled_count = job.cancelled_count + found.cancelled,
      counted_at = case when found.ended > 0 then now() else job.counted_at end,
      counted_until = (select run_id from looked_up order by run_id offset ${maxLookedUp - 1}::int),
      count_at = now() + greatest(interval '1 second', least(interval '10 seconds', 20 * (clock_timestamp() - statement_timestamp())))
    from found where job.id = ${jobId}::uuid
    returning job.open_count as open, job.succeeded_count as succeeded, job.failed_count as failed,
      job.skipped_count as skipped, job.cancelled_count as cancelled`;
  return counts ?? noOutcomes;
}

const noOutcomes: OutcomeCounts = { open: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };

/** Counts the open runs of a job whose last attempt failed, although another one follows. */
export async function countRetrying(
  tx: SqlStatements,
  { id }: LockedJob<unknown>,
): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from bulk_job_runs made join queue q on q.id = made.run_id
    where made.job_id = ${id}::uuid and made.outcome is null and q.reason_code = 'retry'`;
  return row?.count ?? 0;
}
