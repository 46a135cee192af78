import { toPlainArrayText, toSparseArrayText } from "#lib/db/postgres/array-text.ts";
import { PackedValues } from "#lib/db/postgres/packed-values.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import type { RunReason } from "#lib/schema/run.ts";
import type { EndedRunState } from "#lib/schema/run-states.ts";
import type { ClaimedRun } from "./claim-runs.ts";

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

/** From the claim: what the history of a run needs. */
export type HeldRun = Pick<
  ClaimedRun,
  "id" | "leaseId" | "accountId" | "actionId" | "hookId" | "deliveryId" | "hasOwnId"
>;

export type FinishedRun = HeldRun & {
  /** With this one. */
  readonly attemptCount: number;
  readonly next: NextState;
  /** Null: nothing was called (a filter did not match). */
  readonly attempt: NewAttempt | null;
};

/**
 * Records the outcome of claimed runs in one statement. A run that has ended moves from the queue
 * to the history, with this attempt inside; one that will be retried stays, and its attempt is
 * stored by itself. Only the holder of the current lease moves a run: the result of a stale worker
 * is stored as a late attempt and changes nothing else. A retry is due by the database's clock.
 *
 * @returns the ids of runs that had been taken over
 */
export async function finishRuns(
  db: SqlDatabase,
  finished: readonly FinishedRun[],
): Promise<ReadonlySet<string>> {
  if (finished.length === 0) return new Set();
  const uuids = (read: (run: FinishedRun) => string) => toUuidArray(finished.map(read));
  const plain = (read: (run: FinishedRun) => string | number | null) =>
    toPlainArrayText(finished.map(read));
  const rare = (read: (run: FinishedRun) => string | number | null) =>
    toSparseArrayText(finished.map(read));
  const packed = new PackedValues();
  const requests = finished.map(({ attempt }) => packed.add(attempt?.requestJson ?? null));
  const responses = finished.map(({ attempt }) => packed.add(attempt?.responseJson ?? null));
  // The last condition of `tried`: a statement that is repeated because its answer was lost finds
  // its runs ended, and must not call itself late.
  const rows = await db.$queryRaw<{ id: string }[]>`
    with batch as materialized (
      select ${uuids((run) => run.id)}::uuid[] as ids, ${packed.toBytes()}::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(ids,
        ${uuids((run) => run.leaseId)}::uuid[], ${rare((run) => ("delayMs" in run.next ? run.next.delayMs : null))}::bigint[]
      ) with ordinality as t(id, lease_id, delay_ms, position)
    ), outcome as not materialized (
      select t.*, to_timestamp(started_at_ms / 1000) as started_at,
        convert_from(substring(bytes from request_at for request_size), 'UTF8') as request,
        convert_from(substring(bytes from response_at for response_size), 'UTF8') as response
      from batch cross join unnest(ids,
        ${uuids((run) => run.accountId)}::uuid[], ${uuids((run) => run.actionId)}::uuid[], ${uuids((run) => run.hookId)}::uuid[],
        ${uuids((run) => run.deliveryId)}::uuid[], ${rare((run) => (run.hasOwnId ? "t" : null))}::boolean[],
        ${plain((run) => run.next.state)}::text[], ${rare((run) => run.next.reason?.code ?? null)}::text[],
        ${rare((run) => run.next.reason?.detail ?? null)}::text[], ${plain((run) => run.attemptCount)}::int[],
        ${toUuidArray(finished.map((run) => run.attempt?.id ?? null))}::uuid[], ${plain((run) => run.attempt?.startedAtMs ?? null)}::float8[],
        ${plain((run) => run.attempt?.durationMs ?? null)}::int[],
        ${toPlainArrayText(requests.map(({ start }) => start))}::int[], ${toPlainArrayText(requests.map(({ size }) => size))}::int[],
        ${toPlainArrayText(responses.map(({ start }) => start))}::int[], ${toPlainArrayText(responses.map(({ size }) => size))}::int[],
        ${rare((run) => run.attempt?.errorCode ?? null)}::text[], ${rare((run) => run.attempt?.errorMessage ?? null)}::text[]
      ) with ordinality as t(id, account_id, target_id, hook_id, delivery_id, has_own_id, state, reason_code, reason_detail,
        attempt_count, attempt_id, started_at_ms, duration_ms, request_at, request_size, response_at, response_size, error_code,
        error_message, position)
    ), ended as (
      delete from queue q using input i where q.id = i.id and q.lease_id = i.lease_id and i.delay_ms is null
      returning i.position
    ), written as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, has_own_id, finished_at, started_at, duration_ms,
        attempt_count, state, reason_code, reason_detail, request, response, error_code, error_message)
      select id, account_id, target_id, hook_id, delivery_id, coalesce(has_own_id, false), now(), started_at, duration_ms,
        attempt_count, state, reason_code, reason_detail, request, response, error_code, error_message
      from outcome where position in (select position from ended)
    ), retried as (
      update queue q
      set lease_id = null, leased_until = null, worker_id = null, attempt_count = o.attempt_count, crash_count = 0,
        due_at = now() + i.delay_ms * interval '1 millisecond', reason_code = o.reason_code, reason_detail = o.reason_detail
      from input i join outcome o using (position)
      where q.id = i.id and q.lease_id = i.lease_id and i.delay_ms is not null
      returning i.position
    ), late as (
      select id, position from input
      where position not in (select position from ended union all select position from retried)
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message, late)
      select o.attempt_id, o.id, o.account_id, o.attempt_count, o.started_at, o.duration_ms, o.request::json, o.response::json, o.error_code,
        o.error_message, made.is_late
      from (select position, false as is_late from retried union all select position, true from late) made
      join outcome o using (position)
      where o.attempt_id is not null
        and not exists (select from runs where id = o.id and attempt_count = o.attempt_count and started_at = o.started_at)
      on conflict do nothing
    )
    select id from late`;
  return new Set(rows.map((row) => row.id));
}
