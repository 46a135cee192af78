import { AppError } from "#lib/base/errors.ts";
import {
  type BulkJobRecord,
  getBulkJob,
  markBulkJobPaused,
  markBulkJobResumed,
} from "#lib/db/runs/bulk-jobs.ts";
import { byId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

type Change = {
  readonly mark: typeof markBulkJobPaused;
  readonly event: "bulk_job.paused" | "bulk_job.resumed";
  /** The reason why a job can't be changed. */
  readonly conflict: string;
};

/**
 * Pauses a job. The runs it has queued still run. Throws `conflict` if it isn't running, or cancels
 * runs.
 */
export const pauseBulkJob = changeBulkJob({
  mark: markBulkJobPaused,
  event: "bulk_job.paused",
  conflict: "Only a job that is running and queues runs can be paused.",
});

/** Continues a paused job. Earlier failures don't pause it again. Throws `conflict` if it isn't paused. */
export const resumeBulkJob = changeBulkJob({
  mark: markBulkJobResumed,
  event: "bulk_job.resumed",
  conflict: "This job isn't paused.",
});

function changeBulkJob({ mark, event, conflict }: Change) {
  return service({
    permission: "deliveries:write",
    input: byId,
    run: async (context, { id }): Promise<BulkJobRecord> => {
      const { db, actor } = context;
      await getBulkJob(db, actor.accountId, id);
      await db.$transaction(async (tx) => {
        if (!(await mark(tx, actor.accountId, id))) throw new AppError("conflict", conflict);
        await audit(context, { event, targets: [{ type: "bulk_job", id }] }, tx);
      });
      return await getBulkJob(db, actor.accountId, id);
    },
  });
}
