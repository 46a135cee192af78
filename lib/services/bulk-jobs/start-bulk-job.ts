import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  type BulkJobRecord,
  getBulkJob,
  insertBulkJob,
  type JobRoom,
  type NewBulkJob,
} from "#lib/db/runs/bulk-jobs.ts";
import { type JobLimits, noLimits } from "#lib/schema/act/bulk-job.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

const maxUnfinished = 5;
/** The people of portals leave room for the account, and those of one recipient for the others. */
const ofPortals = { all: 3, recipient: 2 };

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
    if (!(await insertBulkJob(tx, actor.accountId, { ...job, limits, id }, findRoom(actor))))
      throw new AppError("conflict", actor.type === "portal" ? tooManyOfPortals : tooMany);
    await audit(context, { event: "bulk_job.started", targets: listTargets(id, job) }, tx);
  });
  return await getBulkJob(db, actor.accountId, id);
}

const tooMany = `${maxUnfinished} jobs are running. Wait for one to finish, or cancel it.`;
const tooManyOfPortals =
  "Too many events are being sent again just now. Try again in a few minutes.";

function findRoom(actor: Actor): JobRoom {
  if (actor.type !== "portal") return { ofAccount: maxUnfinished };
  const { recipient } = actor;
  return { ofAccount: ofPortals.all, ofRecipient: { recipient, jobs: ofPortals.recipient } };
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
