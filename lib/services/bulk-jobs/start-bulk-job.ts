import {
  type BulkJobRecord,
  getBulkJob,
  insertBulkJob,
  type NewBulkJob,
} from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { type JobLimits, noLimits } from "#lib/schema/bulk-job.ts";
import { audit } from "#lib/services/audit.ts";
import type { ServiceContext } from "#lib/services/service.ts";

const maxUnfinished = 5;

/** Starts a job in the background. Throws `conflict` if too many are running. */
export async function startBulkJob(
  context: ServiceContext,
  job: Omit<NewBulkJob, "id" | "limits">,
  limits: JobLimits = noLimits,
): Promise<BulkJobRecord> {
  const { db, actor } = context;
  // Ids contain times, so whatever arrives later has a larger id than the job.
  const id = newId();
  await db.$transaction(async (tx) => {
    if (!(await insertBulkJob(tx, actor.accountId, { ...job, limits, id }, maxUnfinished))) {
      const detail = `${maxUnfinished} jobs are running. Wait for one to finish, or cancel it.`;
      throw new AppError("conflict", detail);
    }
    await audit(context, { event: "bulk_job.started", targets: listTargets(id, job) }, tx);
  });
  return await getBulkJob(db, actor.accountId, id);
}

type JobSubject = {
  readonly subscriptionId?: string | undefined;
  readonly hookId?: string | undefined;
};

/** The job, and the subscription or hook whose runs or deliveries it changes. */
function listTargets(id: string, { kind, filter }: Pick<NewBulkJob, "kind" | "filter">) {
  const { subscriptionId, hookId }: JobSubject = filter;
  return [
    { type: "bulk_job", id, name: kind },
    ...(subscriptionId === undefined ? [] : [{ type: "subscription", id: subscriptionId }]),
    ...(hookId === undefined ? [] : [{ type: "hook", id: hookId }]),
  ];
}
