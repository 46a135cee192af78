import {
  countJobRuns,
  hasDueJob,
  type JobProgress,
  type LockedJob,
  lockBulkJob,
  pauseJob,
  postponeJob,
  type RowKind,
  storeProgress,
} from "#lib/db/jobs/lock-bulk-job.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import type { Lock } from "./job.ts";

/** A job of `bulk_jobs` in the transaction that has it. */
export type RowWork<Filter> = LockedJob<Filter> & {
  readonly tx: SqlStatements;
  /** The maximum number of runs to queue in this batch. */
  readonly maxRuns: number;
};

/** The result of a batch, stored in the same transaction. */
export type Batch = Omit<JobProgress, "failed" | "restMs"> & {
  /** Runs that moved, whose hours are to be counted again. */
  readonly movedRunIds?: readonly string[];
};

/** Limits of a job that must not flood its receivers. Null: no limit. */
export type QueueLimits = {
  readonly ratePerMinute: number | null;
  readonly stopAfterFailures: number | null;
  readonly actionIds: readonly string[];
};

/** The maximum number of runs that one transaction queues. */
const maxRunsPerBatch = 500;
/** Open runs of a job that stops after failures. With all queued at once, it couldn't stop any. */
const maxOpenRuns = 50;

/**
 * Locks a row of `bulk_jobs`. The work of a batch and the job's progress are written in one
 * transaction, which only one process at a time can enter for a job, so a killed process leaves
 * nothing half done, and a canceled job stops after its last batch. A rate counts from the last
 * batch, so it holds over all processes and restarts.
 */
export function lockRow<Filter>(
  db: SqlDatabase,
  kind: RowKind,
  limitsOf: (filter: Filter) => QueueLimits = () => noLimits,
): Lock<RowWork<Filter>, Batch> {
  return async (use) => {
    if (!(await hasDueJob(db, kind))) return false;
    const done = await db.$transaction(async (tx) => {
      const job = await lockBulkJob<Filter>(tx, kind);
      return job === null ? null : await workOn(tx, job, limitsOf(job.filter), use);
    });
    if (done === null) return false;
    if (done.changed > 0) notifyRunsDue(db);
    await recountHours(db, done.movedRunIds ?? []);
    return true;
  };
}

const noLimits: QueueLimits = { ratePerMinute: null, stopAfterFailures: null, actionIds: [] };

type Done = Pick<Batch, "changed" | "movedRunIds">;

async function workOn<Filter>(
  tx: SqlStatements,
  job: LockedJob<Filter>,
  { ratePerMinute, stopAfterFailures, actionIds }: QueueLimits,
  use: (work: RowWork<Filter>) => Promise<Batch>,
): Promise<Done> {
  const runs = stopAfterFailures === null ? null : await countJobRuns(tx, job, actionIds);
  const failed = runs === null ? 0 : runs.failed - job.failedBefore;
  if (runs !== null && stopAfterFailures !== null && failed >= stopAfterFailures) {
    const reason = `${failed} ${failed === 1 ? "run has" : "runs have"} failed.`;
    await pauseJob(tx, job.id, { failed: runs.failed, reason });
    return { changed: 0 };
  }
  const open = runs === null ? Number.POSITIVE_INFINITY : maxOpenRuns - runs.open;
  const maxRuns = Math.min(allowedRuns(job, ratePerMinute), open);
  if (maxRuns <= 0) {
    await postponeJob(tx, job.id, runs?.failed ?? 0);
    return { changed: 0 };
  }
  const batch = await use({ ...job, tx, maxRuns });
  const restMs = ratePerMinute === null ? null : (batch.changed * 60_000) / ratePerMinute;
  await storeProgress(tx, job.id, { ...batch, failed: runs?.failed ?? null, restMs });
  return batch;
}

/** The number of runs that the rate allows now. At least one, because the job is due. */
function allowedRuns({ dueForMs }: LockedJob<unknown>, ratePerMinute: number | null): number {
  if (ratePerMinute === null) return maxRunsPerBatch;
  return Math.min(maxRunsPerBatch, 1 + Math.floor((dueForMs * ratePerMinute) / 60_000));
}
