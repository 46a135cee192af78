import { z } from "zod";
import { pauseReplay, resumeReplay } from "#lib/db/replays/replay-jobs.ts";
import { cancelBulkJob, createBulkJob, getBulkJob, listBulkJobs } from "#lib/db/runs/bulk-jobs.ts";
import { pageFields } from "#lib/schema/field/common.ts";
import { bulkReplaySchema } from "#lib/schema/replay.ts";
import { bulkCancelSchema, bulkRetrySchema } from "#lib/schema/run.ts";
import { startReplay, tryReplay } from "#lib/services/deliveries/replay-deliveries.ts";
import { showBulkJob } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const postBulkRetry = endpoint({
  scope: "deliveries:write",
  body: bulkRetrySchema,
  status: 202,
  handle: async ({ context: { db }, accountId, body: { filter } }) =>
    showBulkJob(await createBulkJob(db, accountId, "retry", filter)),
});

export const postBulkCancel = endpoint({
  scope: "deliveries:write",
  body: bulkCancelSchema,
  status: 202,
  handle: async ({ context: { db }, accountId, body: { filter } }) =>
    showBulkJob(await createBulkJob(db, accountId, "cancel", filter)),
});

/** With `dryRun`: 202 with what it would do, and no job. */
export const postBulkReplay = endpoint({
  scope: "deliveries:write",
  body: bulkReplaySchema,
  status: 202,
  handle: async ({ context, accountId, body }) =>
    body.dryRun
      ? await tryReplay(context, accountId, body)
      : showBulkJob(await startReplay(context, accountId, body)),
});

export const postPauseBulkJob = endpoint({
  scope: "deliveries:write",
  handle: async ({ context: { db }, accountId, id }) =>
    showBulkJob(await pauseReplay(db, accountId, id)),
});

export const postResumeBulkJob = endpoint({
  scope: "deliveries:write",
  handle: async ({ context: { db }, accountId, id }) =>
    showBulkJob(await resumeReplay(db, accountId, id)),
});

export const getBulkJobs = endpoint({
  scope: "deliveries:read",
  query: z.strictObject(pageFields),
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listBulkJobs(db, accountId, query), showBulkJob),
});

export const getOneBulkJob = endpoint({
  scope: "deliveries:read",
  handle: async ({ context: { db }, accountId, id }) =>
    showBulkJob(await getBulkJob(db, accountId, id)),
});

export const postCancelBulkJob = endpoint({
  scope: "deliveries:write",
  handle: async ({ context: { db }, accountId, id }) =>
    showBulkJob(await cancelBulkJob(db, accountId, id)),
});
