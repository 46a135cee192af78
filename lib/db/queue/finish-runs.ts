import { toArrayText, toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { RunReason } from "#lib/schema/run.ts";
import type { EndedRunState } from "#lib/schema/run-states.ts";

/** One attempt of a run as stored. JSON is well-formed text. */
export type NewAttempt = {
  readonly id: string;
  readonly number: number;
  /** Unix time. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly requestJson: string | null;
  readonly responseJson: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

export type NextState =
  | {
      readonly state: EndedRunState;
      readonly reason: RunReason | null;
    }
  | { readonly state: "retrying"; readonly reason: RunReason; readonly delayMs: number };

export type FinishedRun = {
  readonly id: string;
  readonly leaseId: string;
  readonly accountId: string;
  readonly next: NextState;
  /** Null: nothing was called (a filter did not match). */
  readonly attempt: NewAttempt | null;
};

/**
 * Records the outcome of claimed runs in one statement. Only the holder of the current lease moves
 * a run; the result of a stale worker is stored as a late attempt and changes nothing else. A retry
 * is due by the database's clock.
 *
 * @returns the ids of runs that had been taken over
 */
export async function finishRuns(
  db: SqlDatabase,
  finished: readonly FinishedRun[],
): Promise<ReadonlySet<string>> {
  if (finished.length === 0) return new Set();
  const texts = (read: (run: FinishedRun) => string | null) => toArrayText(finished.map(read));
  const plain = (read: (run: FinishedRun) => string | number | null) =>
    toPlainArrayText(finished.map(read));
  const rows = await db.$queryRaw<{ id: string }[]>`
    with input as materialized (
      select * from unnest(
        ${plain((run) => run.id)}::uuid[], ${plain((run) => run.leaseId)}::uuid[], ${plain((run) => run.accountId)}::uuid[],
        ${plain((run) => run.next.state)}::text[], ${plain((run) => run.next.reason?.code ?? null)}::text[],
        ${texts((run) => run.next.reason?.detail ?? null)}::text[],
        ${plain((run) => ("delayMs" in run.next ? run.next.delayMs : null))}::bigint[],
        ${plain((run) => run.attempt?.id ?? null)}::uuid[], ${plain((run) => run.attempt?.number ?? null)}::int[],
        ${plain((run) => run.attempt?.startedAtMs ?? null)}::bigint[], ${plain((run) => run.attempt?.durationMs ?? null)}::int[],
        ${texts((run) => run.attempt?.requestJson ?? null)}::text[], ${texts((run) => run.attempt?.responseJson ?? null)}::text[],
        ${texts((run) => run.attempt?.errorCode ?? null)}::text[], ${texts((run) => run.attempt?.errorMessage ?? null)}::text[]
      ) as t(run_id, lease_id, account_id, state, reason_code, reason_detail, delay_ms, attempt_id, number, started_at, duration_ms, request, response,
        error_code, error_message)
    ), moved as (
      update runs r
      set state = i.state, reason = null, reason_code = i.reason_code, reason_detail = i.reason_detail, lease_id = null, leased_until = null, worker_id = null,
        attempt_count = coalesce(i.number, r.attempt_count),
        crash_count = 0,
        due_at = case when i.state = 'retrying' then now() + i.delay_ms * interval '1 millisecond' else r.due_at end,
        finished_at = case when i.state = 'retrying' then null else now() end
      from input i
      where r.id = i.run_id and r.lease_id = i.lease_id
      returning r.id
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message, late)
      select attempt_id, run_id, account_id, number, to_timestamp(started_at / 1000.0), duration_ms, request::json, response::json,
        error_code, error_message, run_id not in (select id from moved)
      from input where attempt_id is not null
      on conflict do nothing
    )
    select run_id as id from input where run_id not in (select id from moved)`;
  return new Set(rows.map((row) => row.id));
}
