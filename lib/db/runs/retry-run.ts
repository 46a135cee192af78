import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { AppError, invalidField } from "#lib/errors.ts";
import { listSteps, stepsSchema } from "#lib/schema/action/steps.ts";
import { hurry, putBackEnded } from "./move-runs.ts";
import { outcomeUnknown, type RunRecord } from "./run-record.ts";
import { getRun, type RunScope, type RunWithAttempts } from "./runs.ts";

type RetryOptions = RunScope & {
  /** A step, by its key: it and all after it are done again. Null: where the run ended. */
  readonly fromStep?: string | null;
};

/**
 * Retries a run now. One that has ended goes back to the queue with as many attempts ahead as a new
 * one (attempt numbers continue). One that waits for its next attempt stops waiting. A run with steps
 * goes on where it ended, unless `fromStep` says where to begin: what is done again is sent with the
 * same Idempotency-Key. Throws `conflict` if the run is in flight or already due, and
 * `invalid_request` if its action has no such step.
 */
export async function retryRun(
  db: Database,
  accountId: string,
  runId: string,
  { fromStep = null, ...scope }: RetryOptions = {},
): Promise<RunWithAttempts> {
  const before = await getRun(db, accountId, runId, scope);
  const keys = fromStep === null ? [] : await listKeysFrom(db, accountId, before, fromStep);
  const isRunnable = Prisma.sql`run.id = ${before.id}::uuid and run.account_id = ${accountId}::uuid
    and (
      (run.hook_id is null and exists (select from subscriptions s where s.id = run.target_id and s.deleted_at is null))
      or exists (select from actions a where a.id = run.target_id and a.deleted_at is null)
    )`;
  const [changed] = await db.$queryRaw<{ id: string }[]>`
    with ${putBackEnded(isRunnable)}, hurried as (
      update queue run set ${hurry},
        attempts_before = case when ${keys.length > 0}::boolean then attempt_count else attempts_before end
      where ${isRunnable} and run.lease_id is null and run.due_at > now() + interval '1 second'
        and run.reason_code is distinct from ${outcomeUnknown}
      returning run.id
    ), changed as (
      select id from put_back union all select id from hurried
    ), reset as (
      update run_steps set state = 'reset', due_at = null, result = null
      where id = (select id from changed) and key = any (${keys}::text[])
    )
    select id from changed`;
  if (changed === undefined) throw await explainRetry(db, before);
  notifyRunsDue(db);
  await recountHours(db, [before.id]);
  return getRun(db, accountId, runId);
}

/** The keys of this step and of all after it, those of branches included. */
async function listKeysFrom(
  db: Database,
  accountId: string,
  { actionId }: RunRecord,
  fromStep: string,
): Promise<readonly string[]> {
  const action =
    actionId === null
      ? null
      : await db.action.findFirst({ where: { id: actionId, accountId }, select: { steps: true } });
  const steps = stepsSchema.safeParse(action?.steps ?? []);
  const keys = steps.success ? listSteps(steps.data).map(({ step }) => step.key) : [];
  const from = keys.indexOf(fromStep);
  if (from >= 0) return keys.slice(from);
  const known = keys.length === 0 ? "It has no steps" : `Its steps are ${keys.join(", ")}`;
  const message = `is no step of this run's action. ${known}.`;
  throw invalidField("fromStep", message);
}

async function explainRetry(db: Database, { id, actionId, reason }: RunRecord): Promise<AppError> {
  if (reason?.code === outcomeUnknown)
    return new AppError(
      "conflict",
      "Say first what happened to the call: POST /runs/{id}/resolve.",
    );
  if (actionId !== null) {
    const action = await db.action.findFirst({
      where: { id: actionId, deletedAt: null },
      select: { id: true },
    });
    if (action === null)
      return new AppError(
        "conflict",
        "The action of this run was deleted, so it can't be run again.",
      );
  }
  const run = await db.queuedRun.findUnique({ where: { id }, select: { leaseId: true } });
  if (run !== null && run.leaseId !== null) {
    return new AppError(
      "conflict",
      "An attempt of this run is in progress. Wait for it to end, or cancel the run.",
    );
  }
  return new AppError("conflict", "This run is already due and will start as soon as possible.");
}
