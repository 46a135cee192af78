import { AppError } from "#lib/base/errors.ts";
import { type BulkJobRecord, getBulkJob, markBulkJobCancelled } from "#lib/db/runs/bulk-jobs.ts";
import { byId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Stops a job. Its changes so far stay. Throws `conflict` if it has ended. */
export const cancelBulkJob = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    await getBulkJob(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markBulkJobCancelled(tx, actor.accountId, id)))
        throw new AppError("conflict", "This job has already ended, so it can't be canceled.");
      await audit(context, { event: "bulk_job.canceled", targets: [{ type: "bulk_job", id }] }, tx);
    });
    return await getBulkJob(db, actor.accountId, id);
  },
});
