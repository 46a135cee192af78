import { z } from "zod";
import { type JobState, jobKind } from "#lib/schema/act/bulk-job.ts";
import type { BulkJobRecord } from "#lib/services/bulk-jobs.ts";
import { view } from "#lib/web/route/view.ts";

export const bulkJobSchema = z
  .object({
    id: z.string(),
    kind: jobKind,
    filter: z.record(z.string(), z.unknown()),
    status: z.enum(["running", "paused", "finished", "cancelled"]),
    total: z
      .int()
      .nullable()
      .describe("How many it found when it was created. Null: too many to count"),
    changedCount: z.int(),
    duplicateCount: z.int().optional().describe("Only for `accept` and `take_in`"),
    rejectedCount: z.int().optional().describe("Only for `accept` and `take_in`"),
    notStoredCount: z.int().optional().describe("Only for `accept`"),
    ratePerMinute: z.int().nullable(),
    stopAfterFailures: z.int().nullable(),
    isTrial: z.boolean().describe("Only its first 5 runs are queued, until they have ended"),
    pauseReason: z.string().nullable().describe("Why it paused by itself"),
    problem: z
      .string()
      .nullable()
      .describe("When and why its last batch failed, while it is running. It is tried again"),
    openCount: z.int().describe("How many of the runs it has queued haven't ended"),
    succeededCount: z.int(),
    failedCount: z.int(),
    skippedCount: z.int(),
    cancelledCount: z.int(),
    createdAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({ id: "BulkJob" });

/** A job in the API's responses. */
export const bulkJobView = view(bulkJobSchema, showBulkJob);

type ShownFilter = BulkJobRecord["filter"] & {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly newest?: string;
};

export function showBulkJob({ countedAt: _countedAt, ...job }: BulkJobRecord) {
  const { from, to, newest: _newest, ...filter }: ShownFilter = job.filter;
  return {
    ...job,
    filter: {
      ...filter,
      ...(from === undefined ? {} : { from: new Date(from) }),
      ...(to === undefined ? {} : { to: new Date(to) }),
    },
  };
}

/** The parts of a job that its card shows. */
export function toJobState(job: BulkJobRecord): JobState {
  const { id, status, total, changedCount, isTrial, pauseReason, problem, createdAt } = job;
  const { openCount, succeededCount, failedCount, skippedCount, cancelledCount } = job;
  const outcomes = { openCount, succeededCount, failedCount, skippedCount, cancelledCount };
  const reasons = { pauseReason, problem };
  return { id, status, total, changedCount, isTrial, ...reasons, createdAt, ...outcomes };
}
