import { z } from "zod";
import {
  type BulkJobRecord,
  getBulkJob,
  markBulkJobPaused,
  markBulkJobResumed,
} from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

const byId = z.strictObject({ id: recordId });

/**
 * Pauses a job. The runs it has queued still run. Throws `conflict` if it isn't running, or cancels
 * runs.
 */
export const pauseBulkJob = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    await getBulkJob(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markBulkJobPaused(tx, actor.accountId, id)))
        throw new AppError("conflict", "Only a job that is running and queues runs can be paused.");
      await audit(context, { event: "bulk_job.paused", targets: [{ type: "bulk_job", id }] }, tx);
    });
    return await getBulkJob(db, actor.accountId, id);
  },
});

/** Continues a paused job. Earlier failures don't pause it again. Throws `conflict` if it isn't paused. */
export const resumeBulkJob = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    await getBulkJob(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markBulkJobResumed(tx, actor.accountId, id)))
        throw new AppError("conflict", "This job isn't paused.");
      await audit(context, { event: "bulk_job.resumed", targets: [{ type: "bulk_job", id }] }, tx);
    });
    return await getBulkJob(db, actor.accountId, id);
  },
});
