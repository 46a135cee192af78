import { AppError } from "#lib/base/errors.ts";
import { firstId } from "#lib/core/api/page.ts";
import { countRejected as countMatches } from "#lib/db/deliveries/scan-rejected.ts";
import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import { bulkAcceptSchema } from "#lib/schema/receive/delivery.ts";
import { startBulkJob } from "#lib/services/bulk-jobs.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Accepts the deliveries that match a filter, are rejected now, and verify, in the background. Throws
 * `conflict` if there are none.
 */
export const acceptDeliveries = service({
  permission: "deliveries:write",
  input: bulkAcceptSchema,
  run: async (context, { filter: given, ...limits }): Promise<BulkJobRecord> => {
    const { status: _rejected, ...filter } = given;
    const total = await countMatches(context.db, context.actor.accountId, filter);
    if (total === 0) throw new AppError("conflict", "No rejected delivery matches this filter.");
    const job = { kind: "accept", filter, total, seenBefore: firstId } as const;
    return await startBulkJob(context, job, limits);
  },
});

/** The number of deliveries that a job would process now. Null: too many to count. */
export const countRejected = service({
  permission: "deliveries:read",
  input: bulkAcceptSchema,
  run: ({ db, actor }, { filter: { status: _rejected, ...filter } }) =>
    countMatches(db, actor.accountId, filter),
});
