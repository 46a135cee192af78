import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";

/** The ledger's entry for a step of a run, or for one item of it. */
export type StepRecord = {
  readonly key: string;
  /** -1: the step as a whole. */
  readonly item: number;
  readonly state: StepState;
  readonly attemptCount: number;
  /** The number of attempts before the last manual retry. The retry policy counts from there. */
  readonly attemptsBefore: number;
  /** The remaining wait in whole milliseconds, by the database's clock. Null: it doesn't wait. */
  readonly dueInMs: number | null;
  /** The result that later steps see, as JSON text. */
  readonly resultJson: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

type Row = {
  readonly id: string;
  readonly key: string;
  readonly item: number;
  readonly state: StepState;
  readonly attempt_count: number;
  readonly attempts_before: number;
  readonly due_in_ms: number | null;
  readonly result: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
};

/** Loads the ledgers of runs. A run without any outcome has no entry. */
export async function loadSteps(
  db: SqlDatabase,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StepRecord[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db.$queryRaw<Row[]>`
    select id, key, item, state, attempt_count, attempts_before, ceil(date_part('epoch', due_at - now()) * 1000) as due_in_ms,
      result, error_code, error_message
    from run_steps where id = any (${[...runIds]}::uuid[]) order by id, key, item`;
  const byRun = Map.groupBy(rows, (row) => row.id);
  return new Map([...byRun].map(([id, steps]) => [id, steps.map(toStepRecord)]));
}

function toStepRecord(row: Row): StepRecord {
  return {
    key: row.key,
    item: row.item,
    state: row.state,
    attemptCount: row.attempt_count,
    attemptsBefore: row.attempts_before,
    dueInMs: row.due_in_ms,
    resultJson: row.result,
    errorCode: row.error_code,
    errorMessage: row.error_message,
  };
}
