import { z } from "zod";
import { getBulkJob as findJob, listBulkJobs as findJobs } from "#lib/db/runs/bulk-jobs.ts";
import { pageFields, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** Returns a bulk job of the account. Throws `not_found`. */
export const getBulkJob = service({
  permission: "deliveries:read",
  input: z.strictObject({ id: recordId }),
  run: ({ db, actor }, { id }) => findJob(db, actor.accountId, id),
});

/** The account's jobs, newest first. */
export const listBulkJobs = service({
  permission: "deliveries:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findJobs(db, actor.accountId, page),
});
