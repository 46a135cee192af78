import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import type { RunWait } from "#lib/schema/act/run.ts";
import { matchesRun } from "./list-runs.ts";
import { cancelledManually, cancelQueued } from "./move-runs.ts";
import { type RunRecord, type RunRow, runColumns, toRunRecord } from "./run-record.ts";
import { runSourcesOf } from "./run-sources.ts";
import { findRunWait } from "./run-wait.ts";

/** One attempt. The JSON is text as the worker stored it, with secrets redacted. */
export type AttemptRecord = {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly requestJson: string | null;
  readonly responseJson: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** True if it ended after the run had been taken over or canceled, and changed nothing. */
  readonly late: boolean;
  /** The key of the step, for an action with steps, whose latest attempts are in `listRunSteps`. */
  readonly step: string | null;
  readonly item: number | null;
};

/** The runs that a caller may see: all, or those of one recipient's subscriptions (the portal). */
type RunScope = { readonly recipient?: string | undefined };

export type RunWithAttempts = RunRecord & {
  readonly attempts: readonly AttemptRecord[];
  /** The reason that a due run of an action waits. Null: it doesn't wait. */
  readonly waitsFor: RunWait | null;
};

/**
 * Throws `not_found` if it is deleted, or belongs to a deleted hook or subscription, or to another
 * account.
 */
export async function getRun(
  db: Database | Transaction,
  accountId: string,
  runId: string,
  scope: RunScope = {},
): Promise<RunWithAttempts> {
  const id = requireId("run", runId);
  // One statement: a retry moves the last attempt of an ended run from the one table to the other.
  // An attempt is no older than its run. The minute allows for clock differences.
  const rows = await db.$queryRaw<(RunRow & AttemptRow)[]>`
    with run as materialized (
      select ${runColumns}, r.started_at, r.duration_ms, r.request, r.response, r.error_code, r.error_message
      from ${runSourcesOf(Prisma.sql`array[${id}::uuid]`)}
      where ${matchesRun(db, accountId, scope)}
    )
    select run.id, run.delivery_id, run.event_id, run.internal_event_id, run.action_id, run.subscription_id, run.version, run.status, run.reason_code,
      run.reason_detail, run.attempt_count, run.due_at, run.created_at, run.finished_at, tried.*
    from run left join lateral (
      (
        select number, started_at, duration_ms, request::text as request, response::text as response, error_code, error_message, late,
          step, item
        from attempts
        where run_id = ${id}::uuid and account_id = ${accountId}::uuid
          and id >= uuid_v7_floor(to_timestamp(uuid_v7_ms(${id}::uuid) / 1000.0) - interval '1 minute')
        order by number, id limit ${maxAttempts}::int
      )
      union all
      select run.attempt_count, run.started_at, run.duration_ms, run.request, run.response, run.error_code, run.error_message, false, null, null
      where run.started_at is not null
    ) tried on true
    order by tried.number, tried.late, tried.started_at`;
  const [run] = rows;
  if (run === undefined) throw notFound("run");
  const record = toRunRecord(run);
  const mayWait =
    record.actionId !== null && (record.status === "held" || record.status === "queued");
  return {
    ...record,
    waitsFor: mayWait ? await findRunWait(db, accountId, id) : null,
    attempts: rows.flatMap((row) => (row.number === null ? [] : toAttempt(row))),
  };
}

/**
 * Cancels a run, or returns false if it has ended. If an attempt is in flight, the run loses its
 * lease: the result is recorded as late and changes nothing.
 */
export async function markRunCancelled(
  db: Database | Transaction,
  accountId: string,
  runId: string,
): Promise<boolean> {
  const changed = await db.$executeRaw(
    cancelQueued(
      Prisma.sql`id = ${runId}::uuid and account_id = ${accountId}::uuid`,
      cancelledManually,
    ),
  );
  if (changed === 0) return false;
  await recountHours(db, [runId]);
  return true;
}

/** The maximum number of attempts. A retry policy allows 20, but users may retry more often. */
const maxAttempts = 500;

type AttemptRow = {
  /** The number of the attempt. Null: there was none. */
  number: number | null;
  started_at: Date;
  duration_ms: number;
  request: string | null;
  response: string | null;
  error_code: string | null;
  error_message: string | null;
  late: boolean;
  step: string | null;
  item: number | null;
};

function toAttempt(row: AttemptRow): AttemptRecord {
  const { error_code: code, error_message: message } = row;
  return {
    number: row.number ?? 0,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    requestJson: row.request,
    responseJson: row.response,
    error: code === null ? null : { code, message: message ?? code },
    late: row.late,
    step: row.step,
    item: row.item,
  };
}
