import type { JobState } from "#lib/schema/act/bulk-job.ts";
import type { BulkJobRecord } from "#lib/services/bulk-jobs.ts";

/** The parts of a job that its card shows. */
export function toJobState(job: BulkJobRecord): JobState {
  const { id, status, total, changedCount, isTrial, pauseReason, problem, createdAt } = job;
  const { openCount, succeededCount, failedCount, skippedCount, cancelledCount } = job;
  const outcomes = { openCount, succeededCount, failedCount, skippedCount, cancelledCount };
  const reasons = { pauseReason, problem };
  return { id, status, total, changedCount, isTrial, ...reasons, createdAt, ...outcomes };
}
