import { toError } from "#lib/base/errors.ts";
import {
  countOutcomes,
  countRetrying,
  type JobRun,
  type OutcomeCounts,
  recordJobRuns,
} from "#lib/db/jobs/count-outcomes.ts";
import {
  endTrial,
  hasDueJob,
  type JobProgress,
  type LockedJob,
  lockBulkJob,
  pauseJob,
  postponeJob,
  type RowKind,
  recordFailedBatch,
  storeProgress,
} from "#lib/db/jobs/lock-bulk-job.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { trialSize } from "#lib/schema/act/run-limits.ts";
import type { Lock } from "./job.ts";

/** A job of `bulk_jobs` in the transaction that has it. */
export type RowWork<Filter> = LockedJob<Filter> & {
  readonly tx: SqlStatements;
  /** The maximum number of runs to queue in this batch. */
  readonly maxRuns: number;
};

/** The result of a batch, stored in the same transaction. */
export type Batch = Omit<JobProgress, "restMs"> & {
  /** The runs that it has queued or ended, whose outcomes the job counts. */
  readonly runs: readonly JobRun[];
  /** Runs that moved, whose hours are to be counted again. */
  readonly movedRunIds?: readonly string[];
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
export function lockRow<Filter>(db: SqlDatabase, kind: RowKind): Lock<RowWork<Filter>, Batch> {
  return async (use) => {
    if (!(await hasDueJob(db, kind))) return false;
    let id: string | undefined;
    const done = await db
      .$transaction(async (tx) => {
        const job = await lockBulkJob<Filter>(tx, kind);
        id = job?.id;
        return job === null ? null : await workOn(tx, job, use);
      })
      .catch(async (error: unknown) => {
        // Not while PostgreSQL is away: then nothing can be shown either.
        if (id !== undefined) await recordFailedBatch(db, id, toReason(error)).catch(() => {});
        throw error;
      });
    if (done === null) return false;
    if (done.changed > 0) notifyRunsDue(db);
    await recountHours(db, done.movedRunIds ?? []);
    return true;
  };
}

const maxReasonChars = 200;

/** PostgreSQL's message, or else the last line: those before it say where the error was thrown. */
function toReason(error: unknown): string {
  const { message } = toError(error);
  const line = message.trim().split("\n").at(-1) ?? "";
  const said = /Message: `(.+)`$/.exec(line)?.[1] ?? line;
  return said.replaceAll("\0", "\ufffd").slice(0, maxReasonChars).toWellFormed();
}

type Done = Pick<Batch, "changed" | "movedRunIds">;

async function workOn<Filter>(
  tx: SqlStatements,
  job: LockedJob<Filter>,
  use: (work: RowWork<Filter>) => Promise<Batch>,
): Promise<Done> {
  const maxRuns = await findRoom(tx, job);
  if (maxRuns <= 0) return { changed: 0 };
  const batch = await use({ ...job, tx, maxRuns });
  const { ratePerMinute } = job;
  const restMs = ratePerMinute === null ? null : (batch.changed * 60_000) / ratePerMinute;
  await recordJobRuns(tx, job.id, batch.runs);
  await storeProgress(tx, job.id, { ...batch, restMs });
  return batch;
}

/** The number of runs that the job may queue now. With none, it is paused or postponed. */
async function findRoom(tx: SqlStatements, job: LockedJob<unknown>): Promise<number> {
  const { id, stopAfterFailures, isTrial, changedCount, failedBefore } = job;
  const allowed = allowedRuns(job);
  if (stopAfterFailures === null && !isTrial) return allowed;
  const counts = await countOutcomes(tx, id);
  const failed = counts.failed - failedBefore;
  if (stopAfterFailures !== null && failed >= stopAfterFailures) {
    await pauseJob(tx, id, `${failed} ${failed === 1 ? "run has" : "runs have"} failed.`);
    return 0;
  }
  if (isTrial && changedCount < trialSize) return Math.min(allowed, trialSize - changedCount);
  if (isTrial && !(await passesTrial(tx, job, counts))) return 0;
  if (stopAfterFailures === null) return allowed;
  const room = Math.min(allowed, maxOpenRuns - counts.open);
  if (room <= 0) await postponeJob(tx, id);
  return room;
}

/**
 * True if the first runs have ended and none of them has failed. A run whose attempt failed counts
 * as failed, even if another attempt follows: that may take days.
 */
async function passesTrial(
  tx: SqlStatements,
  job: LockedJob<unknown>,
  { open, succeeded, failed, skipped, cancelled }: OutcomeCounts,
): Promise<boolean> {
  const retrying = open === 0 ? 0 : await countRetrying(tx, job);
  if (open > retrying) {
    await postponeJob(tx, job.id);
    return false;
  }
  const failing = failed + retrying;
  if (failing === 0) {
    await endTrial(tx, job.id);
    return true;
  }
  const all = open + succeeded + failed + skipped + cancelled;
  await pauseJob(tx, job.id, `${failing} of the first ${all} failed. No others were queued.`);
  return false;
}

/** The number of runs that the rate allows now. At least one, because the job is due. */
function allowedRuns({ dueForMs, ratePerMinute }: LockedJob<unknown>): number {
  if (ratePerMinute === null) return maxRunsPerBatch;
  return Math.min(maxRunsPerBatch, 1 + Math.floor((dueForMs * ratePerMinute) / 60_000));
}
