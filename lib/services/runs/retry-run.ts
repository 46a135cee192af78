import { AppError, invalidField } from "#lib/base/errors.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { findStoredSteps, readRetryFacts, requeueRun } from "#lib/db/runs/retry-run.ts";
import { outcomeUnknown, type RunRecord } from "#lib/db/runs/run-record.ts";
import { getRun, type RunWithAttempts } from "#lib/db/runs/runs.ts";
import { retryRunSchema } from "#lib/schema/act/run.ts";
import { listSteps, stepsSchema } from "#lib/schema/act/steps.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

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
    const before = await getRun(db, actor.accountId, id);
    const keys = fromStep === null ? [] : await listKeysFrom(context, before, fromStep);
    await db.$transaction(async (tx) => {
      if (!(await requeueRun(tx, actor.accountId, id, keys)))
        throw new AppError("conflict", await whyNot(context, before));
      await audit(context, { event: "run.retried", targets: [{ type: "run", id }] }, tx);
    });
    notifyRunsDue(db);
    return await getRun(db, actor.accountId, id);
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
