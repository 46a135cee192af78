import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import type { JobState } from "#lib/schema/bulk-job.ts";

const recentMs = 3_600_000;

/** True if a job or any of its runs is open, or was within the last hour. */
export function isCurrentJob(
  { finishedAt, openCount, countedAt }: BulkJobRecord,
  nowMs: number,
): boolean {
  if (finishedAt === null || openCount > 0) return true;
  const endedMs = Math.max(finishedAt.getTime(), countedAt?.getTime() ?? 0);
  return nowMs - endedMs < recentMs;
}

/** The parts of a job that its card shows. */
export function toJobState(job: BulkJobRecord): JobState {
  const { id, status, total, changedCount, isTrial, pauseReason, problem, createdAt } = job;
  const { openCount, succeededCount, failedCount, skippedCount, cancelledCount } = job;
  const outcomes = { openCount, succeededCount, failedCount, skippedCount, cancelledCount };
  const reasons = { pauseReason, problem };
  return { id, status, total, changedCount, isTrial, ...reasons, createdAt, ...outcomes };
}
