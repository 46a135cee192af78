import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  type BulkJobRecord,
  getBulkJob as findJob,
  listBulkJobs as findJobs,
  insertBulkJob,
  type JobRoom,
  markBulkJobCancelled,
  markBulkJobPaused,
  markBulkJobResumed,
  type NewBulkJob,
} from "#lib/db/runs/bulk-jobs.ts";
import { type JobLimits, jobKind, noLimits } from "#lib/schema/act/bulk-job.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { byId, pageFields } from "#lib/schema/field/common.ts";
import type { ChangedRows } from "#lib/schema/field/selected.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

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

type Change = {
  readonly mark: typeof markBulkJobPaused;
  readonly event: "bulk_job.paused" | "bulk_job.resumed";
  /** The reason why a job can't be changed. */
  readonly conflict: string;
};

/**
 * Pauses a job. The runs it has queued still run. Throws `conflict` if it isn't running, or cancels
 * runs.
 */
export const pauseBulkJob = changeBulkJob({
  mark: markBulkJobPaused,
  event: "bulk_job.paused",
  conflict: "Only a job that is running and queues runs can be paused.",
});

/** Continues a paused job. Earlier failures don't pause it again. Throws `conflict` if it isn't paused. */
export const resumeBulkJob = changeBulkJob({
  mark: markBulkJobResumed,
  event: "bulk_job.resumed",
  conflict: "This job isn't paused.",
});

function changeBulkJob({ mark, event, conflict }: Change) {
  return service({
    permission: "deliveries:write",
    input: byId,
    run: async (context, { id }): Promise<BulkJobRecord> => {
      const { db, actor } = context;
      await findJob(db, actor.accountId, id);
      await db.$transaction(async (tx) => {
        if (!(await mark(tx, actor.accountId, id))) throw new AppError("conflict", conflict);
        await audit(context, { event, targets: [{ type: "bulk_job", id }] }, tx);
      });
      return await findJob(db, actor.accountId, id);
    },
  });
}

/** Stops a job. Its changes so far stay. Throws `conflict` if it has ended. */
export const cancelBulkJob = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    await findJob(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markBulkJobCancelled(tx, actor.accountId, id)))
        throw new AppError("conflict", "This job has already ended, so it can't be canceled.");
      await audit(context, { event: "bulk_job.canceled", targets: [{ type: "bulk_job", id }] }, tx);
    });
    return await findJob(db, actor.accountId, id);
  },
});

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
  return await findJob(db, actor.accountId, id);
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

/**
 * Changes selected rows one after the other. One that can't be changed now, or is gone, is left out
 * with its reason.
 */
export async function changeEach(
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<ChangedRows> {
  const leftOut: { id: string; detail: string }[] = [];
  for (const id of ids) {
    try {
      await change(id);
    } catch (error) {
      if (!(error instanceof AppError) || !isOfRow(error)) throw error;
      leftOut.push({ id, detail: error.message });
    }
  }
  return { changed: ids.length - leftOut.length, leftOut };
}

function isOfRow({ code }: AppError): boolean {
  return code === "conflict" || code === "not_found";
}
