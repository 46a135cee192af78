import { toPlainArrayText, toSparseArrayText } from "#lib/db/postgres/array-text.ts";
import { PackedValues } from "#lib/db/postgres/packed-values.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import { type RunReply, storeReplies } from "#lib/db/replies/store-replies.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import type { EndedRunState } from "#lib/schema/act/run-states.ts";
import { Prisma } from "../generated/client.ts";
import { rowIdsOf, writeByRowId } from "./by-row-id.ts";
import type { ClaimedRun, RunSource } from "./claimed-run.ts";
import type { CallHealth } from "./control/record-health.ts";

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

/** The fields of a claimed run that its history needs. */
export type HeldRun = RunSource &
  Pick<ClaimedRun, "id" | "leaseId" | "accountId" | "targetId" | "hasOwnId">;

export type FinishedRun = HeldRun & {
  /** The outcome for its breakers. Undefined: it has none. */
  readonly health?: readonly CallHealth[];
  /** The number of attempts, including this one. */
  readonly attemptCount: number;
  readonly next: NextState;
  /** The version of the action that ran. */
  readonly version?: number;
  /** Null: nothing was called (a filter did not match). */
  readonly attempt: NewAttempt | null;
  /** The reply, if the action replies to the provider and the run has ended. */
  readonly reply?: RunReply;
};

/**
 * Records the outcome of claimed runs. A run that has ended moves from the queue to the history,
 * with this attempt inside; one that will be retried stays, and its attempt is stored by itself.
 * Only the holder of the current lease moves a run: the result of a stale worker is stored as a late
 * attempt and changes nothing else. A retry is due by the database's clock.
 *
 * @returns the ids of runs that had been taken over
 */
export async function finishRuns(
  db: SqlDatabase,
  finished: readonly FinishedRun[],
): Promise<ReadonlySet<string>> {
  // A run may be there twice, from a lost claim and from the next one, which counts.
  const latest = [...new Map(finished.map((run) => [run.id, run])).values()];
  const stale =
    latest.length === finished.length ? [] : finished.filter((run) => !latest.includes(run));
  const missed = await writeByRowId(db, latest, { runIdOf: ({ id }) => id, write: moveRuns });
  const stored = missed.length === 0 ? noIds : await findStored(db, missed);
  const late = missed.filter(({ id }) => !stored.has(id));
  await insertLateAttempts(db, late);
  const lateIds = late.map(({ id }) => id);
  return new Set(stale.length === 0 ? lateIds : [...lateIds, ...(await finishRuns(db, stale))]);
}

/** Writes all of them in one statement. Returns the runs that it did not find leased. */
async function moveRuns(
  to: SqlStatements,
  finished: readonly FinishedRun[],
): Promise<readonly FinishedRun[]> {
  const uuids = (read: (run: FinishedRun) => string | null) => toUuidArray(finished.map(read));
  const plain = (read: (run: FinishedRun) => string | number | null) =>
    toPlainArrayText(finished.map(read));
  const rare = (read: (run: FinishedRun) => string | number | null) =>
    toSparseArrayText(finished.map(read));
  const packed = new PackedValues();
  const requests = finished.map(({ attempt }) => packed.add(attempt?.requestJson ?? null));
  const responses = finished.map(({ attempt }) => packed.add(attempt?.responseJson ?? null));
  // `is true` makes the planner match by hash: with a join it may compare all with all.
  const rows = await to.$queryRaw<{ id: string }[]>`
    with batch as materialized (
      select ${uuids((run) => run.id)}::uuid[] as ids, ${uuids((run) => run.leaseId)}::uuid[] as lease_ids,
        ${rare((run) => ("delayMs" in run.next ? run.next.delayMs : null))}::bigint[] as delays, ${packed.toBytes()}::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(ids, lease_ids, delays) as t(id, lease_id, delay_ms)
    ), outcome as not materialized (
      select t.*, to_timestamp(started_at_ms / 1000) as started_at,
        convert_from(substring(bytes from request_at for request_size), 'UTF8') as request,
        convert_from(substring(bytes from response_at for response_size), 'UTF8') as response
      from batch cross join unnest(ids, delays,
        ${uuids((run) => run.accountId)}::uuid[], ${uuids((run) => run.targetId)}::uuid[], ${uuids((run) => (run.kind === "action" ? run.hookId : null))}::uuid[],
        ${uuids((run) => (run.kind === "action" ? run.deliveryId : null))}::uuid[], ${rare((run) => (run.kind === "send" ? run.eventId : null))}::uuid[], ${rare((run) => (run.hasOwnId ? "t" : null))}::boolean[],
        ${plain((run) => run.next.state)}::text[], ${rare((run) => run.next.reason?.code ?? null)}::text[],
        ${rare((run) => run.next.reason?.detail ?? null)}::text[], ${plain((run) => run.attemptCount)}::int[],
        ${toUuidArray(finished.map((run) => run.attempt?.id ?? null))}::uuid[], ${plain((run) => run.attempt?.startedAtMs ?? null)}::float8[],
        ${plain((run) => run.attempt?.durationMs ?? null)}::int[],
        ${toPlainArrayText(requests.map(({ start }) => start))}::int[], ${toPlainArrayText(requests.map(({ size }) => size))}::int[],
        ${toPlainArrayText(responses.map(({ start }) => start))}::int[], ${toPlainArrayText(responses.map(({ size }) => size))}::int[],
        ${rare((run) => run.attempt?.errorCode ?? null)}::text[], ${rare((run) => run.attempt?.errorMessage ?? null)}::text[],
        ${plain((run) => run.version ?? null)}::int[]
      ) as t(id, delay_ms, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, state, reason_code, reason_detail,
        attempt_count, attempt_id, started_at_ms, duration_ms, request_at, request_size, response_at, response_size, error_code,
        error_message, version)
    ), ended as (
      delete from queue q
      where q.ctid = any (array(${rowIdsOf(Prisma.sql`(select ids from batch)::uuid[]`)}))
        and ((q.id, q.lease_id) in (select id, lease_id from input where delay_ms is null)) is true
      returning q.id
    ), written as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, finished_at, started_at, duration_ms,
        attempt_count, state, reason_code, reason_detail, request, response, error_code, error_message, version)
      select id, account_id, target_id, hook_id, delivery_id, event_id, coalesce(has_own_id, false), now(), started_at, duration_ms,
        attempt_count, state, reason_code, reason_detail, request, response, error_code, error_message, version
      from outcome where (id in (select id from ended)) is true
    ), retries as materialized (
      select * from outcome where delay_ms is not null and (select cardinality(delays) > 0 from batch)
    ), retried as (
      update queue q
      set lease_id = null, leased_until = null, worker_id = null, attempt_count = o.attempt_count, crash_count = 0,
        due_at = now() + o.delay_ms * interval '1 millisecond', reason_code = o.reason_code, reason_detail = o.reason_detail
      from retries o
      where q.ctid = any (array(${rowIdsOf(Prisma.sql`array(select id from retries)`)})) and q.id = o.id
        and ((q.id, q.lease_id) in (select id, lease_id from input where delay_ms is not null)) is true
      returning q.id
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message)
      select attempt_id, id, account_id, attempt_count, started_at, duration_ms, request::json, response::json, error_code, error_message
      from retries where attempt_id is not null and (id in (select id from retried)) is true
      on conflict do nothing
    )${storeReplies(finished, Prisma.sql`select id from ended`)}
    select id from input where (id in (select id from ended union all select id from retried)) is not true`;
  const missed = new Set(rows.map(({ id }) => id));
  return finished.filter(({ id }) => missed.has(id));
}

const noIds: ReadonlySet<string> = new Set();

/**
 * A statement that was repeated because its response was lost finds its runs as it left them: ended with
 * this attempt inside, or waiting for the next one. @returns the ids of those
 */
async function findStored(
  db: SqlStatements,
  runs: readonly FinishedRun[],
): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select o.id from unnest(
      ${toUuidArray(runs.map(({ id }) => id))}::uuid[], ${toPlainArrayText(runs.map(({ attemptCount }) => attemptCount))}::int[],
      ${toUuidArray(runs.map(({ attempt }) => attempt?.id ?? null))}::uuid[],
      ${toPlainArrayText(runs.map(({ attempt }) => attempt?.startedAtMs ?? null))}::float8[],
      ${toPlainArrayText(runs.map(({ next }) => next.state))}::text[],
      ${toSparseArrayText(runs.map(({ next }) => next.reason?.code ?? null))}::text[]
    ) as o(id, attempt_count, attempt_id, started_at_ms, state, reason_code)
    where exists (
      select from runs r where r.id = o.id and (r.attempt_count, r.state) = (o.attempt_count, o.state)
        and r.started_at is not distinct from to_timestamp(o.started_at_ms / 1000)::timestamptz(3)
    ) or exists (select from attempts a where a.id = o.attempt_id and not a.late)
    or (o.state = 'retrying' and o.attempt_id is null and exists (
      select from queue q where q.id = o.id and q.lease_id is null and (q.attempt_count, q.reason_code) = (o.attempt_count, o.reason_code)
    ))`;
  return new Set(rows.map(({ id }) => id));
}

/** The attempts of runs that had been taken over. */
async function insertLateAttempts(db: SqlDatabase, runs: readonly FinishedRun[]): Promise<void> {
  for (const { id, accountId, attempt } of runs) {
    if (attempt === null) continue;
    const { number, startedAtMs, durationMs, requestJson, responseJson, errorCode, errorMessage } =
      attempt;
    await db.$executeRaw`
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message, late)
      select ${attempt.id}::uuid, ${id}::uuid, ${accountId}::uuid, ${number}::int, to_timestamp(${startedAtMs}::float8 / 1000),
        ${durationMs}::int, ${requestJson}::json, ${responseJson}::json, ${errorCode}, ${errorMessage}, true
      on conflict do nothing`;
  }
}
