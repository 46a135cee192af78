import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { firstId, lastId, type Page } from "#lib/core/api/page.ts";
import { readActionNames } from "#lib/db/actions/action-names.ts";
import { findEventId } from "#lib/db/events/events.ts";
import { readHookNames } from "#lib/db/hooks/hook-names.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type BulkFilter,
  type BulkJobRecord,
  countBulkRuns as countRuns,
} from "#lib/db/runs/bulk-jobs.ts";
import { countByReason } from "#lib/db/runs/count-by-reason.ts";
import { listRuns as findRuns } from "#lib/db/runs/list-runs.ts";
import { findStoredSteps, readRetryFacts, requeueRun } from "#lib/db/runs/retry-run.ts";
import { outcomeUnknown, type RunRecord } from "#lib/db/runs/run-record.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { listRunSteps, markStepResolved, type RunStepRecord } from "#lib/db/runs/run-steps.ts";
import { getRun as findRun, markRunCancelled, type RunWithAttempts } from "#lib/db/runs/runs.ts";
import { type JobLimits, noLimits } from "#lib/schema/act/bulk-job.ts";
import {
  bulkCancelSchema,
  bulkRetrySchema,
  type RunListItem,
  resolveStepSchema,
  retryRunSchema,
  runQuerySchema,
} from "#lib/schema/act/run.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { listSteps, stepsSchema } from "#lib/schema/act/steps.ts";
import { byId, noFields, recordId } from "#lib/schema/field/common.ts";
import { selectedSchema } from "#lib/schema/field/selected.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { changeEach, isOverRuns, listCurrentJobs, startBulkJob } from "./bulk-jobs.ts";

export type { AttemptRecord, RunWithAttempts } from "#lib/db/runs/runs.ts";
export type { RunRecord, RunStepRecord };

export type RunWithSteps = RunWithAttempts & { readonly steps: readonly RunStepRecord[] };

/** Returns a run with its attempts and steps. Throws `not_found`. */
export const getRun = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<RunWithSteps> => {
    const run = await findRun(db, actor.accountId, id);
    return { ...run, steps: await listRunSteps(db, actor.accountId, id) };
  },
});

/** The account's runs, newest first. */
export const listRuns = service({
  permission: "deliveries:read",
  input: runQuerySchema,
  run: (context, query) => readRunPage(context, query),
});

/** A page of runs for a parsed query. */
async function readRunPage(
  { db, actor: { accountId } }: ServiceContext,
  { eventId, limit, cursor, ...filter }: z.output<typeof runQuerySchema>,
): Promise<Page<RunRecord>> {
  const page = { limit, cursor };
  if (eventId === undefined) return await findRuns(db, accountId, filter, page);
  const found = await findEventId(db, accountId, eventId);
  if (found === null) return { items: [], nextCursor: null };
  return await findRuns(db, accountId, { ...filter, eventId: found }, page);
}

/** The account's runs, newest first, with the names of what they belong to. */
export const listRunRows = service({
  permission: "deliveries:read",
  input: runQuerySchema,
  run: async (context, query): Promise<Page<RunListItem>> => {
    const { items, nextCursor } = await readRunPage(context, query);
    const ids = items.map(({ id }) => id);
    return { items: await readRunRows(context.db, context.actor.accountId, ids), nextCursor };
  },
});

/** The number of runs by state and reason, among the newest that match. */
export const countRunsByReason = service({
  permission: "deliveries:read",
  input: runQuerySchema,
  run: ({ db, actor }, { limit: _limit, cursor: _cursor, eventId: _eventId, ...filter }) =>
    countByReason(db, actor.accountId, filter),
});

/** The names of the hook and the action in a filter. Null: there is none. */
export const nameRunFilter = service({
  permission: "deliveries:read",
  input: z.strictObject({ hookId: z.string(), actionId: z.string() }),
  run: async ({ db, actor }, { hookId, actionId }) => {
    const [hooks, [action]] = await Promise.all([
      readHookNames(db, actor.accountId, [hookId].filter(isId)),
      readActionNames(db, actor.accountId, [actionId].filter(isId)),
    ]);
    return { hookName: hooks.get(hookId) ?? null, actionName: action?.name ?? null };
  },
});

const shownJobs = 3;

/** The current bulk jobs on runs, each with the name of its action if it is about one. */
export const listRunJobs = service({
  permission: "deliveries:read",
  input: noFields,
  run: async (context) => {
    const { db, actor } = context;
    const kinds = ["retry" as const, "cancel" as const, "replay" as const];
    const jobs = await listCurrentJobs(context, { kinds, limit: shownJobs });
    const ids = jobs.map(findActionId);
    const actions = await readActionNames(
      db,
      actor.accountId,
      ids.flatMap((id) => id ?? []),
    );
    const names = new Map(actions.map(({ id, name }) => [id, name]));
    return jobs.map((job, at) => ({ job, actionName: names.get(ids[at] ?? "") ?? null }));
  },
});

/** The only action in a job's filter. */
function findActionId(job: BulkJobRecord): string | undefined {
  const ofRuns = isOverRuns(job) ? [job.filter.actionId] : [];
  const [id, ...others] = job.kind === "replay" ? job.filter.actionIds : ofRuns;
  return id !== undefined && others.length === 0 && isId(id) ? id : undefined;
}

/**
 * Retries a run now. An ended run goes back to the queue with as many attempts as a new one. A run
 * that waits for its next attempt stops waiting. A run with steps continues where it ended, unless
 * `fromStep` says where to begin: repeated calls have the same Idempotency-Key as before. Throws
 * `conflict` if the run is in flight or already due, and `invalid_request` if its action has no
 * such step.
 */
export const retryRun = service({
  permission: "deliveries:write",
  input: retryRunSchema.extend({ id: recordId }),
  run: async (context, { id, fromStep }): Promise<RunWithAttempts> => {
    const { db, actor } = context;
    const before = await findRun(db, actor.accountId, id);
    const keys = fromStep === null ? [] : await listKeysFrom(context, before, fromStep);
    await db.$transaction(async (tx) => {
      if (!(await requeueRun(tx, actor.accountId, id, keys)))
        throw new AppError("conflict", await whyNot(context, before));
      await audit(context, { event: "run.retried", targets: [{ type: "run", id }] }, tx);
    });
    notifyRunsDue(db);
    return await findRun(db, actor.accountId, id);
  },
});

/** The keys of this step and all steps after it, including those of branches. */
async function listKeysFrom(
  { db, actor }: ServiceContext,
  { actionId }: RunRecord,
  fromStep: string,
): Promise<readonly string[]> {
  const stored = actionId === null ? null : await findStoredSteps(db, actor.accountId, actionId);
  const steps = stepsSchema.safeParse(stored ?? []);
  const keys = steps.success ? listSteps(steps.data).map(({ step }) => step.key) : [];
  const from = keys.indexOf(fromStep);
  if (from >= 0) return keys.slice(from);
  const known = keys.length === 0 ? "It has no steps" : `Its steps are ${keys.join(", ")}`;
  throw invalidField("fromStep", `is no step of this run's action. ${known}.`);
}

async function whyNot(
  { db }: ServiceContext,
  { id, actionId, reason }: RunRecord,
): Promise<string> {
  if (reason?.code === outcomeUnknown)
    return "First record what happened to the call, with POST /runs/{id}/resolve.";
  const { isActionGone, isLeased } = await readRetryFacts(db, id, actionId);
  if (isActionGone) return "The action of this run was deleted, so it can't be run again.";
  if (isLeased)
    return "An attempt of this run is in progress. Wait for it to end, or cancel the run.";
  return "This run is already due and will start as soon as possible.";
}

/**
 * Cancels a run that has not ended. The result of an attempt in flight is recorded as late and
 * changes nothing. Throws `conflict` if it has ended.
 */
export const cancelRun = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<RunWithAttempts> => {
    const { db, actor } = context;
    await findRun(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markRunCancelled(tx, actor.accountId, id))) {
        const { status } = await findRun(tx, actor.accountId, id);
        const detail = `This run has already ended (${status}), so it can't be canceled.`;
        throw new AppError("conflict", detail);
      }
      await audit(context, { event: "run.canceled", targets: [{ type: "run", id }] }, tx);
    });
    return await findRun(db, actor.accountId, id);
  },
});

/**
 * Records what happened to a call whose outcome a crash hid. `repeat` makes the call again with the
 * same Idempotency-Key; `succeeded` and `failed` record that outcome. The run continues once all of
 * its waiting calls are resolved. Throws `conflict` if the call doesn't wait for a decision.
 */
export const resolveStep = service({
  permission: "deliveries:write",
  input: resolveStepSchema.extend({ id: recordId }),
  run: async (context, { id, ...resolution }): Promise<RunWithAttempts> => {
    const { db, actor } = context;
    await findRun(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markStepResolved(tx, actor.accountId, id, resolution)))
        throw new AppError("conflict", "No call of this step waits for a decision.");
      await audit(context, { event: "run.step.resolved", targets: [{ type: "run", id }] }, tx);
    });
    notifyRunsDue(db);
    return await findRun(db, actor.accountId, id);
  },
});

/** Retries the runs that match a filter, in the background. */
export const retryRuns = service({
  permission: "deliveries:write",
  input: bulkRetrySchema,
  run: (context, { filter, ...limits }) => startRunsJob(context, "retry", filter, limits),
});

/** Cancels the runs that match a filter, in the background. */
export const cancelRuns = service({
  permission: "deliveries:write",
  input: bulkCancelSchema,
  run: (context, { filter }) => startRunsJob(context, "cancel", filter),
});

/** The number of runs that a job would change now. Null: too many to count. */
export const countBulkRuns = service({
  permission: "deliveries:read",
  input: z.discriminatedUnion("kind", [
    bulkRetrySchema.pick({ filter: true }).extend({ kind: z.literal("retry") }),
    bulkCancelSchema.extend({ kind: z.literal("cancel") }),
  ]),
  run: ({ db, actor }, { kind, filter }) => countRuns(db, actor.accountId, kind, filter),
});

/**
 * Starts a job for the runs that match the filter now, not those that fail later. Throws `conflict`
 * if no run matches.
 */
export async function startRunsJob(
  context: ServiceContext,
  kind: BulkKind,
  filter: BulkFilter,
  limits: JobLimits = noLimits,
): Promise<BulkJobRecord> {
  const total = await countRuns(context.db, context.actor.accountId, kind, filter);
  if (total === 0)
    throw new AppError("conflict", "No matching runs. Change the filter and try again.");
  const seenBefore = kind === "retry" ? firstId : lastId;
  return await startBulkJob(context, { kind, filter, total, seenBefore }, limits);
}

/** Retries each of the selected runs now. */
export const retrySelectedRuns = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => retryRun(context, { id })),
});

/** Cancels those of the selected runs that haven't ended. */
export const cancelSelectedRuns = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => cancelRun(context, { id })),
});
