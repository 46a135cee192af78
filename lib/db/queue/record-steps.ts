import { toPlainArrayText, toSparseArrayText } from "#lib/db/postgres/array-text.ts";
import { PackedValues } from "#lib/db/postgres/packed-values.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";
import { Prisma } from "../generated/client.ts";
import { rowIdsOf, writeByRowId } from "./by-row-id.ts";
import type { HeldRun, NewAttempt } from "./finish-runs.ts";

/** The new state of a step of a claimed run. */
export type NewStep = {
  readonly run: Pick<HeldRun, "id" | "leaseId" | "accountId">;
  readonly key: string;
  /** -1: the step as a whole. */
  readonly item: number;
  readonly state: StepState;
  readonly attemptCount: number;
  /** The delay for `waiting` and `retrying`, by the database's clock. */
  readonly delayMs: number | null;
  /** The call that ended. Its texts stay until the next call of the step has ended. */
  readonly attempt: NewAttempt | null;
  /** The reason it failed or was skipped without a call. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The result that later steps see, as JSON text. */
  readonly resultJson: string | null;
  /** True if the step had ended and runs again: its last attempt moves to the others. */
  readonly isRepeat: boolean;
};

/**
 * Writes the state of steps of claimed runs, before anything else is done for these runs. Only the
 * holder of the lease writes. A run whose step has ended, or waits, has not crashed again, so its
 * count of crashes is reset. A failed call that is retried is kept in `attempts` too, because the next one replaces
 * it here.
 *
 * @returns `leaseOf` of runs that had been taken over: nothing is stored for them
 */
export async function recordSteps(
  db: SqlDatabase,
  steps: readonly NewStep[],
): Promise<ReadonlySet<string>> {
  const lost = await writeByRowId(db, steps, { runIdOf: ({ run }) => run.id, write });
  return new Set(lost.map(({ run }) => leaseOf(run)));
}

/** Writes steps. Returns those of the runs that it did not find leased. */
async function write(to: SqlStatements, steps: readonly NewStep[]): Promise<readonly NewStep[]> {
  const uuids = (read: (step: NewStep) => string | null) => toUuidArray(steps.map(read));
  const plain = (read: (step: NewStep) => string | number | null) =>
    toPlainArrayText(steps.map(read));
  const rare = (read: (step: NewStep) => string | number | null) =>
    toSparseArrayText(steps.map(read));
  const packed = new PackedValues();
  const pack = (read: (step: NewStep) => string | null) =>
    steps.map((step) => packed.add(read(step)));
  const requests = pack(({ attempt }) => attempt?.requestJson ?? null);
  const responses = pack(({ attempt }) => attempt?.responseJson ?? null);
  const results = pack(({ resultJson }) => resultJson);
  const starts = (places: typeof requests) => toPlainArrayText(places.map(({ start }) => start));
  const sizes = (places: typeof requests) => toPlainArrayText(places.map(({ size }) => size));
  const rows = await to.$queryRaw<{ id: string; leaseId: string }[]>`
    with batch as materialized (
      select ${uuids(({ run }) => run.id)}::uuid[] as ids, ${uuids(({ run }) => run.leaseId)}::uuid[] as lease_ids,
        ${packed.toBytes()}::bytea as bytes
    ), input as materialized (
      select t.*, convert_from(substring(bytes from request_at for request_size), 'UTF8') as request,
        convert_from(substring(bytes from response_at for response_size), 'UTF8') as response,
        convert_from(substring(bytes from result_at for result_size), 'UTF8') as result
      from batch cross join unnest(ids, lease_ids,
        ${uuids(({ run }) => run.accountId)}::uuid[], ${plain(({ key }) => key)}::text[], ${plain(({ item }) => item)}::int[],
        ${plain(({ state }) => state)}::text[], ${plain((step) => step.attemptCount)}::int[],
        ${rare((step) => step.delayMs)}::bigint[], ${uuids(({ attempt }) => attempt?.id ?? null)}::uuid[],
        ${plain(({ attempt }) => attempt?.startedAtMs ?? null)}::float8[], ${plain(({ attempt }) => attempt?.durationMs ?? null)}::int[],
        ${starts(requests)}::int[], ${sizes(requests)}::int[], ${starts(responses)}::int[], ${sizes(responses)}::int[],
        ${starts(results)}::int[], ${sizes(results)}::int[],
        ${rare(({ attempt, error }) => error?.code ?? attempt?.errorCode ?? null)}::text[],
        ${rare(({ attempt, error }) => error?.message ?? attempt?.errorMessage ?? null)}::text[],
        ${rare(({ isRepeat }) => (isRepeat ? "t" : null))}::boolean[]
      ) as t(id, lease_id, account_id, key, item, state, attempt_count, delay_ms, attempt_id, started_at_ms, duration_ms,
        request_at, request_size, response_at, response_size, result_at, result_size, error_code, error_message,
        is_repeat)
    ), held as materialized (
      -- Waits for a rescue of the same run, and lets one wait.
      select id, lease_id, crash_count from queue
      where ctid = any (array(${rowIdsOf(Prisma.sql`(select ids from batch)::uuid[]`)}))
        and ((id, lease_id) in (select id, lease_id from input)) is true
      for no key update
    ), going_on as (
      -- A call that begins, or whose outcome a crash hid, may be what crashes the worker.
      update queue q set crash_count = 0
      where q.ctid = any (array(${rowIdsOf(Prisma.sql`array(
          select id from held where crash_count > 0 and id in (
            select id from input where state not in ('calling', 'unknown', 'reset') and error_code is distinct from 'outcome_unknown'
          )
        )`)}))
    ), kept as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message,
        step, item)
      select uuid_v7_at(clock_timestamp()), id, account_id, attempt_count, started_at, duration_ms, request::json, response::json,
        error_code, error_message, key, nullif(item, -1)
      from run_steps
      where duration_ms is not null
        and (id, key, item) in (select id, key, item from input where is_repeat and ((id, lease_id) in (select id, lease_id from held)) is true)
    ), written as (
      insert into run_steps as known (id, account_id, key, item, state, attempt_count, due_at, started_at, duration_ms, request,
        response, result, error_code, error_message)
      select id, account_id, key, item, state, attempt_count, now() + delay_ms * interval '1 millisecond',
        coalesce(to_timestamp(started_at_ms / 1000), now()), duration_ms, request, response, result, error_code, error_message
      from input where ((id, lease_id) in (select id, lease_id from held)) is true
      on conflict (id, key, item) do update set
        state = excluded.state, attempt_count = excluded.attempt_count, due_at = excluded.due_at, result = excluded.result,
        duration_ms = coalesce(excluded.duration_ms, known.duration_ms), request = coalesce(excluded.request, known.request),
        response = case when excluded.duration_ms is null then known.response else excluded.response end,
        error_code = excluded.error_code, error_message = excluded.error_message
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message,
        step, item)
      select attempt_id, id, account_id, attempt_count, to_timestamp(started_at_ms / 1000), duration_ms, request::json,
        response::json, error_code, error_message, key, nullif(item, -1)
      from input where state = 'retrying' and attempt_id is not null
        and ((id, lease_id) in (select id, lease_id from held)) is true
      on conflict do nothing
    )
    select id, lease_id as "leaseId" from held`;
  const held = new Set(rows.map(leaseOf));
  return steps.filter(({ run }) => !held.has(leaseOf(run)));
}

/** Identifies a run and its lease. */
export function leaseOf({ id, leaseId }: Pick<HeldRun, "id" | "leaseId">): string {
  return `${leaseId} ${id}`;
}
