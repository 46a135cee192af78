import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { idFloor } from "#lib/db/postgres/page.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { AppError } from "#lib/errors.ts";
import { readRuns } from "./list-runs.ts";
import type { RunRecord } from "./run-record.ts";

/** One attempt. The JSON is text as the worker stored it, with secrets redacted. */
export type AttemptRecord = {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly requestJson: string | null;
  readonly responseJson: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** It ended after the run had been taken over or cancelled, and changed nothing. */
  readonly late: boolean;
};

export type RunWithAttempts = RunRecord & { readonly attempts: readonly AttemptRecord[] };

/** Throws `not_found` if it is gone, of a deleted hook, or another account's. */
export async function getRun(
  db: Database,
  accountId: string,
  runId: string,
): Promise<RunWithAttempts> {
  const id = requireId("run", runId);
  const [run] = await readRuns(db, accountId, { ids: [id], limit: 1 });
  if (run === undefined) throw notFound("run");
  // An attempt is no older than its run. The minute allows for clock differences.
  const oldest = idFloor(run.createdAt.getTime() - 60_000);
  const rows = await db.$queryRaw<AttemptRow[]>`
    select number, started_at, duration_ms, request::text as request, response::text as response, error_code, error_message, late
    from attempts
    where run_id = ${id}::uuid and account_id = ${accountId}::uuid and id >= ${oldest}::uuid
    order by number, id limit ${maxAttempts}::int`;
  return { ...run, attempts: rows.map(toAttempt) };
}

/**
 * Retries a run now. One that has ended goes back to the queue with as many attempts ahead as a new
 * one (attempt numbers continue). One that waits for its next attempt stops waiting. Throws
 * `conflict` if it is in flight or already due.
 */
export async function retryRun(
  db: Database,
  accountId: string,
  runId: string,
): Promise<RunWithAttempts> {
  const before = await getRun(db, accountId, runId);
  const changed = await db.$executeRaw`
    update runs r set
      ${putBack}
    where r.id = ${before.id}::uuid and r.account_id = ${accountId}::uuid and r.lease_id is null
      and (r.finished_at is not null or r.due_at > now() + interval '1 second')
      and (r.action_id is null or exists (select from actions a where a.id = r.action_id and a.deleted_at is null))`;
  if (changed === 0) throw await explainRetry(db, before);
  notifyRunsDue(db);
  await recountHours(db, [before.id]);
  return getRun(db, accountId, runId);
}

/**
 * Cancels a run that has not ended. If an attempt is in flight, the run loses its lease: the result
 * is recorded as late and changes nothing. Throws `conflict` if it has ended.
 */
export async function cancelRun(
  db: Database,
  accountId: string,
  runId: string,
): Promise<RunWithAttempts> {
  const before = await getRun(db, accountId, runId);
  const changed = await db.$executeRaw`
    update runs set
      ${cancelled}, finished_at = now(), lease_id = null, leased_until = null, worker_id = null
    where id = ${before.id}::uuid and account_id = ${accountId}::uuid and finished_at is null`;
  if (changed === 0) {
    const { status } = await getRun(db, accountId, runId);
    throw new AppError(
      "conflict",
      `This run has already ended (${status}), so it can't be cancelled.`,
    );
  }
  await recountHours(db, [before.id]);
  return getRun(db, accountId, runId);
}

/**
 * Of `update runs r set`: queues the run again. One that waits for its next attempt keeps its place
 * in its retry policy.
 */
export const putBack = Prisma.sql`
  state = 'queued', reason = null, reason_code = null, reason_detail = null, crash_count = 0, due_at = now(),
  attempts_before = case when r.finished_at is null then r.attempts_before else r.attempt_count end, finished_at = null`;

/** Of `update runs set`: cancelled by its owner. */
export const cancelled = Prisma.sql`
  state = 'cancelled', reason = null, reason_code = 'cancelled', reason_detail = 'It was cancelled manually.'`;

/** A retry policy allows 20 attempts at most. People may retry more often. */
const maxAttempts = 500;

async function explainRetry(db: Database, { id, actionId }: RunRecord): Promise<AppError> {
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
  const run = await db.run.findUnique({ where: { id }, select: { leaseId: true } });
  if (run !== null && run.leaseId !== null) {
    return new AppError(
      "conflict",
      "An attempt of this run is in progress. Wait for it to end, or cancel the run.",
    );
  }
  return new AppError("conflict", "This run is already due and will start as soon as possible.");
}

type AttemptRow = {
  number: number;
  started_at: Date;
  duration_ms: number;
  request: string | null;
  response: string | null;
  error_code: string | null;
  error_message: string | null;
  late: boolean;
};

function toAttempt(row: AttemptRow): AttemptRecord {
  const { error_code: code, error_message: message } = row;
  return {
    number: row.number,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    requestJson: row.request,
    responseJson: row.response,
    error: code === null ? null : { code, message: message ?? code },
    late: row.late,
  };
}
