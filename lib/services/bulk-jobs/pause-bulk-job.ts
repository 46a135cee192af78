import { z } from "zod";
import {
  type BulkJobRecord,
  getBulkJob,
  markReplayPaused,
  markReplayResumed,
} from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

const byId = z.strictObject({ id: recordId });

/**
 * Pauses a replay. The runs it has queued still run. Throws `conflict` if no such replay is
 * running.
 */
export const pauseReplay = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    await getBulkJob(db, actor.accountId, id);
    if (!(await markReplayPaused(db, actor.accountId, id)))
      throw new AppError("conflict", "Only a replay that is running can be paused.");
    await audit(context, { event: "bulk_job.paused", targets: [{ type: "bulk_job", id }] });
    return await getBulkJob(db, actor.accountId, id);
  },
});

/** Continues a paused replay. Earlier failures don't pause it again. Throws `conflict` if it isn't paused. */
export const resumeReplay = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    await getBulkJob(db, actor.accountId, id);
    if (!(await markReplayResumed(db, actor.accountId, id)))
      throw new AppError("conflict", "This job isn't paused.");
    await audit(context, { event: "bulk_job.resumed", targets: [{ type: "bulk_job", id }] });
    return await getBulkJob(db, actor.accountId, id);
  },
});
