import { z } from "zod";
import {
  type BulkJobRecord,
  cancelBulkJob,
  createBulkJob,
  getBulkJob,
  listBulkJobs,
} from "#lib/db/runs/bulk-jobs.ts";
import { pageFields } from "#lib/schema/field/common.ts";
import { bulkCancelSchema, bulkRetrySchema } from "#lib/schema/run.ts";
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

export function showBulkJob(job: BulkJobRecord) {
  const { from, to, ...filter }: BulkJobRecord["filter"] & { readonly to?: number | undefined } =
    job.filter;
  return {
    ...job,
    filter: {
      ...filter,
      ...(from === undefined ? {} : { from: new Date(from) }),
      ...(to === undefined ? {} : { to: new Date(to) }),
    },
  };
}
