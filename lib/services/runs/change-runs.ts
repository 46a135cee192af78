import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { firstId, lastId } from "#lib/core/api/page.ts";
import {
  type BulkFilter,
  type BulkJobRecord,
  countBulkRuns as countRuns,
} from "#lib/db/runs/bulk-jobs.ts";
import { type JobLimits, noLimits } from "#lib/schema/act/bulk-job.ts";
import { bulkCancelSchema, bulkRetrySchema } from "#lib/schema/act/run.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { selectedSchema } from "#lib/schema/field/selected.ts";
import { changeEach, startBulkJob } from "#lib/services/bulk-jobs.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { cancelRun } from "./cancel-run.ts";
import { retryRun } from "./retry-run.ts";

/** Retries the runs that match a filter, in the background. */
export const retryRuns = service({
  permission: "deliveries:write",
  input: bulkRetrySchema,
  run: (context, { filter, ...limits }) => startRunsJob(context, "retry", filter, limits),
});

/** Cancels the runs that match a filter, in the background. */
export const cancelRuns = service({
  permission: "deliveries:write",
  input: bulkCancelSchema,
  run: (context, { filter }) => startRunsJob(context, "cancel", filter),
});

/** The number of runs that a job would change now. Null: too many to count. */
export const countBulkRuns = service({
  permission: "deliveries:read",
  input: z.discriminatedUnion("kind", [
    bulkRetrySchema.pick({ filter: true }).extend({ kind: z.literal("retry") }),
    bulkCancelSchema.extend({ kind: z.literal("cancel") }),
  ]),
  run: ({ db, actor }, { kind, filter }) => countRuns(db, actor.accountId, kind, filter),
});

/**
 * Starts a job for the runs that match the filter now, not those that fail later. Throws `conflict`
 * if no run matches.
 */
export async function startRunsJob(
  context: ServiceContext,
  kind: BulkKind,
  filter: BulkFilter,
  limits: JobLimits = noLimits,
): Promise<BulkJobRecord> {
  const total = await countRuns(context.db, context.actor.accountId, kind, filter);
  if (total === 0)
    throw new AppError("conflict", "No matching runs. Change the filter and try again.");
  const seenBefore = kind === "retry" ? firstId : lastId;
  return await startBulkJob(context, { kind, filter, total, seenBefore }, limits);
}

/** Retries each of the selected runs now. */
export const retrySelectedRuns = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => retryRun(context, { id })),
});

/** Cancels those of the selected runs that haven't ended. */
export const cancelSelectedRuns = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => cancelRun(context, { id })),
});
