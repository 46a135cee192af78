import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { hurry, putBackEnded, restart } from "./move-runs.ts";
import { outcomeUnknown } from "./run-record.ts";

/**
 * Makes a run due now. A run that has ended goes back to the queue with as many attempts ahead as a
 * new one (attempt numbers continue). A run that waits for its next attempt stops waiting. The steps
 * that run again have their whole retry policy.
 *
 * @param keys the keys of the steps to run again
 * @returns false if the run is in flight or already due, waits for a decision, or has lost its
 *   action
 */
export async function requeueRun(
  db: Database | Transaction,
  accountId: string,
  runId: string,
  keys: readonly string[],
): Promise<boolean> {
  const isRunnable = Prisma.sql`run.id = ${runId}::uuid and run.account_id = ${accountId}::uuid
    and (
      (run.hook_id is null and exists (select from subscriptions s where s.id = run.target_id and s.deleted_at is null))
      or exists (select from actions a where a.id = run.target_id and a.deleted_at is null)
    )`;
  const [changed] = await db.$queryRaw<{ id: string }[]>`
    with ${putBackEnded(isRunnable, keys)}, hurried as (
      update queue run set ${hurry},
        attempts_before = case when ${keys.length > 0}::boolean then attempt_count else attempts_before end,
        retried_at = case when ${keys.length > 0}::boolean then now() else retried_at end
      where ${isRunnable} and run.lease_id is null and run.due_at > now() + interval '1 second'
        and run.reason_code is distinct from ${outcomeUnknown}
      returning run.id
    ), changed as (
      select id from put_back union all select id from hurried
    ), reset as (
      update run_steps set ${restart(keys)}
      where id = (select id from hurried) and key = any (${[...keys]}::text[])
    ), hurried_steps as (
      -- A delay continues, and so does the wait for a call that is reserved.
      update run_steps set due_at = now()
      where id = (select id from hurried) and state = 'retrying' and key <> all (${[...keys]}::text[])
    )
    select id from changed`;
  if (changed === undefined) return false;
  await recountHours(db, [runId]);
  return true;
}

/** Reads the facts that decide whether a run can be retried. */
export async function readRetryFacts(
  db: Database,
  runId: string,
  actionId: string | null,
): Promise<{ readonly isActionGone: boolean; readonly isLeased: boolean }> {
  const [action, run] = await Promise.all([
    actionId === null
      ? null
      : db.action.findFirst({ where: { id: actionId, deletedAt: null }, select: { id: true } }),
    db.queuedRun.findUnique({ where: { id: runId }, select: { leaseId: true } }),
  ]);
  const isLeased = run !== null && run.leaseId !== null;
  return { isActionGone: actionId !== null && action === null, isLeased };
}

/** Reads the stored steps of an action, even of a deleted one. Null: it has none. */
export async function findStoredSteps(
  db: Database,
  accountId: string,
  actionId: string,
): Promise<unknown> {
  const where = { id: actionId, accountId };
  return (await db.action.findFirst({ where, select: { steps: true } }))?.steps ?? null;
}
