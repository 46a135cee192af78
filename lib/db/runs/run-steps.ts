import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { requireId } from "#lib/db/postgres/not-found.ts";
import type { StepResolution } from "#lib/schema/act/run.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";
import { outcomeUnknown } from "./run-record.ts";

/** A step of a run as its owner sees it. The JSON is text as stored, with secrets redacted. */
export type RunStepRecord = {
  readonly key: string;
  /** Null: the step as a whole. */
  readonly item: number | null;
  readonly state: StepState;
  readonly attemptCount: number;
  /** The time at which it continues, if it waits or retries. */
  readonly nextAttemptAt: Date | null;
  readonly startedAt: Date;
  readonly durationMs: number | null;
  readonly requestJson: string | null;
  readonly responseJson: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
};

type Row = Omit<RunStepRecord, "error"> & {
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

/**
 * The maximum number of steps listed. A run of 20 steps with 1,000 items each has more: failed and
 * waiting ones come first then.
 */
const maxSteps = 500;

/**
 * Lists the steps of a run in the order in which they began, each step before its items. Empty for
 * an action with one call.
 */
export async function listRunSteps(
  db: Database,
  accountId: string,
  runId: string,
): Promise<readonly RunStepRecord[]> {
  const id = requireId("run", runId);
  const rows = await db.$queryRaw<Row[]>`
    select shown.* from (
      select key, nullif(item, -1) as item, state, attempt_count as "attemptCount",
        case when state in ('waiting', 'retrying') then due_at end as "nextAttemptAt",
        started_at as "startedAt", duration_ms as "durationMs", request as "requestJson", response as "responseJson",
        error_code as "errorCode", error_message as "errorMessage"
      from run_steps where id = ${id}::uuid and account_id = ${accountId}::uuid and state <> 'reset'
      order by state in ('succeeded', 'skipped'), item, key limit ${maxSteps}::int
    ) shown
    order by min("startedAt") over (partition by key), key, item nulls first`;
  return rows.map(({ errorCode: code, errorMessage: message, ...step }) => ({
    ...step,
    error: code === null ? null : { code, message: message ?? code },
  }));
}

/**
 * Stores what happened to a call whose outcome was lost in a crash. The run continues once all such
 * calls are decided. Until then no worker takes the run, which would keep the next call from being
 * decided.
 *
 * @returns false if the call doesn't wait for a decision
 */
export async function markStepResolved(
  db: Database | Transaction,
  accountId: string,
  id: string,
  { step, item, as }: StepResolution,
): Promise<boolean> {
  const state = as === "repeat" ? "retrying" : as;
  const result = as === "repeat" ? null : resultOf(as);
  const [code, message] = as === "failed" ? ["resolved_as_failed", resolvedAsFailed] : [null, null];
  return await db.$transaction(async (tx) => {
    // Two decisions about one run wait for each other, so that the second sees the first.
    const held = await tx.$queryRaw<unknown[]>`
      select from queue
      where id = ${id}::uuid and account_id = ${accountId}::uuid and lease_id is null and reason_code = ${outcomeUnknown}
      for update`;
    if (held.length === 0) return false;
    const resolved = await tx.$queryRaw<unknown[]>`
      with kept as (
        -- The next call replaces it in the ledger.
        insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message,
          step, item)
        select uuid_v7_at(clock_timestamp()), id, account_id, attempt_count, started_at, coalesce(duration_ms, 0), request::json,
          response::json, error_code, error_message, key, nullif(item, -1)
        from run_steps
        where ${as} = 'repeat' and id = ${id}::uuid and key = ${step} and item = ${item ?? -1}::int and state = 'unknown'
      )
      update run_steps set state = ${state}, due_at = case when ${state} = 'retrying' then now() end, result = ${result},
        error_code = ${code}, error_message = ${message}
      where id = ${id}::uuid and key = ${step} and item = ${item ?? -1}::int and state = 'unknown'
      returning id`;
    if (resolved.length === 0) return false;
    await tx.$executeRaw`
      update queue set reason_code = 'resolved', reason_detail = ${resolvedByUser}, due_at = now()
      where id = ${id}::uuid and not exists (select from run_steps where id = ${id}::uuid and state = 'unknown')`;
    return true;
  });
}

const resolvedByUser = "A user said what happened to the call.";
const resolvedAsFailed = "Its outcome was unknown, and a user said that it failed.";

function resultOf(as: "succeeded" | "failed"): string {
  const error = as === "failed" ? { code: "resolved_as_failed", message: resolvedAsFailed } : null;
  return JSON.stringify({ status: null, headers: {}, body: null, error });
}
