import { z } from "zod";
import { type BulkJobRecord, cancelBulkJob as cancelJob } from "#lib/db/runs/bulk-jobs.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

/** Stops a job. What it has changed stays changed. Throws `conflict` if it has ended. */
export const cancelBulkJob = service({
  permission: "deliveries:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const job = await cancelJob(context.db, context.actor.accountId, id);
    await audit(context, { event: "bulk_job.canceled", targets: [{ type: "bulk_job", id }] });
    return job;
  },
});
