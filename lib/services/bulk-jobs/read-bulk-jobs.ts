import { z } from "zod";
import {
  type BulkJobRecord,
  getBulkJob as findJob,
  listBulkJobs as findJobs,
} from "#lib/db/runs/bulk-jobs.ts";
import { jobKind } from "#lib/schema/act/bulk-job.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { byId, pageFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";

/** True if a job retries or cancels runs. */
export function isOverRuns(job: BulkJobRecord): job is BulkJobRecord & { readonly kind: BulkKind } {
  return job.kind === "retry" || job.kind === "cancel";
}

/** Returns a bulk job of the account. Throws `not_found`. */
export const getBulkJob = service({
  permission: "deliveries:read",
  input: byId,
  run: ({ db, actor }, { id }) => findJob(db, actor.accountId, id),
});

/** The account's jobs, newest first. */
export const listBulkJobs = service({
  permission: "deliveries:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findJobs(db, actor.accountId, page),
});

/** Those of the newest jobs of these kinds that are current. */
export const listCurrentJobs = service({
  permission: "deliveries:read",
  input: z.strictObject({ kinds: z.array(jobKind), limit: z.int() }),
  run: async ({ db, actor, now }, { kinds, limit }) => {
    const { items } = await findJobs(db, actor.accountId, { limit }, kinds);
    const nowMs = now().getTime();
    return items.filter((job) => isCurrent(job, nowMs));
  },
});

const recentMs = 3_600_000;

/** True if a job or any of its runs is open, or was within the last hour. */
function isCurrent({ finishedAt, openCount, countedAt }: BulkJobRecord, nowMs: number): boolean {
  if (finishedAt === null || openCount > 0) return true;
  const endedMs = Math.max(finishedAt.getTime(), countedAt?.getTime() ?? 0);
  return nowMs - endedMs < recentMs;
}
