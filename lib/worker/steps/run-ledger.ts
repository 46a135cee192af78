import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { collectResults, wholeStep } from "#lib/core/steps/collect-results.ts";
import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { NewAttempt } from "#lib/db/queue/finish-runs.ts";
import type { StepRecord } from "#lib/db/queue/load-steps.ts";
import { isEndedStep, type StepState } from "#lib/schema/act/step-limits.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { StepLedger } from "./step-ledger.ts";

type StepChange = {
  readonly state: StepState;
  /** True if a call begins. */
  readonly isNewAttempt?: boolean;
  readonly delayMs?: number;
  readonly attempt?: NewAttempt;
  readonly resultJson?: string;
  readonly error?: StepError;
};

export type RunLedgerOptions = {
  readonly ledger: StepLedger;
  /** Called with the bytes of results that the run keeps in memory from now on. */
  readonly onResults: (run: ClaimedRun, bytes: number) => void;
};

/** The ledger of one run, kept in sync with the database while a worker holds the run. */
export class RunLedger {
  readonly #run: ClaimedRun;
  readonly #ledger: StepLedger;
  readonly #onResults: RunLedgerOptions["onResults"];
  readonly #records = new Map<string, StepRecord>();
  readonly #parsed = new Map<string, JsonValue>();

  constructor(
    run: ClaimedRun,
    records: readonly StepRecord[],
    { ledger, onResults }: RunLedgerOptions,
  ) {
    this.#run = run;
    this.#ledger = ledger;
    this.#onResults = onResults;
    for (const record of records) this.#records.set(placeOf(record.key, record.item), record);
    if (records.length > 0) onResults(run, this.resultChars);
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** The number of calls made so far, for all steps. */
  get attemptCount(): number {
    return this.#records.values().reduce((sum, { attemptCount }) => sum + attemptCount, 0);
  }

  get failedCount(): number {
    const steps = this.#records.values().filter(({ item }) => item === wholeStep);
    return steps.filter(({ state }) => state === "failed").toArray().length;
  }

  get resultChars(): number {
    return this.#records
      .values()
      .reduce((sum, { resultJson }) => sum + (resultJson?.length ?? 0), 0);
  }

  find(key: string, item: number): StepRecord | undefined {
    return this.#records.get(placeOf(key, item));
  }

  /** Writes a change. False: another worker has the run. */
  async set(key: string, item: number, change: StepChange): Promise<boolean> {
    const before = this.find(key, item);
    const { state, attempt = null, error = null, resultJson = null, delayMs = null } = change;
    const attemptCount = (before?.attemptCount ?? 0) + (change.isNewAttempt === true ? 1 : 0);
    const { id, leaseId, accountId } = this.#run;
    const isStored = await this.#ledger.record({
      run: { id, leaseId, accountId },
      key,
      item,
      state,
      attemptCount,
      delayMs,
      attempt,
      error,
      resultJson,
      isRepeat: change.isNewAttempt === true && hasEnded(before),
    });
    if (!isStored) return false;
    const place = placeOf(key, item);
    this.#parsed.delete(place);
    this.#records.set(place, {
      key,
      item,
      state,
      attemptCount,
      attemptsBefore: before?.attemptsBefore ?? 0,
      dueInMs: delayMs,
      resultJson,
      errorCode: error?.code ?? attempt?.errorCode ?? null,
      errorMessage: error?.message ?? attempt?.errorMessage ?? null,
    });
    if (resultJson !== null) this.#onResults(this.#run, this.resultChars);
    return true;
  }

  /**
   * Lets a step with items run again, with those that failed. They are known as failed no longer when
   * the run comes back from a wait. False: another worker has the run.
   */
  async resetFailed(key: string): Promise<boolean> {
    const failed = [...this.#records.values()].filter(
      (record) => record.key === key && record.state === "failed",
    );
    const stored = await Promise.all(
      failed.map(({ item, errorCode: code, errorMessage }) => {
        const error = code === null ? {} : { error: { code, message: errorMessage ?? "" } };
        return this.set(key, item, { state: "reset", ...error });
      }),
    );
    return stored.every(Boolean);
  }

  /** The names that the templates of the next step see. */
  names(item?: { readonly value: JsonValue; readonly index: number }): StepNames {
    const steps = collectResults(this.#records.values(), (record) => this.#read(record));
    return item === undefined ? { steps } : { steps, item: item.value, index: item.index };
  }

  #read(record: StepRecord): JsonValue {
    const place = placeOf(record.key, record.item);
    const known = this.#parsed.get(place);
    if (known !== undefined) return known;
    const parsed = parseExactJson(record.resultJson ?? "{}");
    const value = parsed.ok ? parsed.value : {};
    this.#parsed.set(place, value);
    return value;
  }
}

/** True if the step had ended before, even if it was reset to run again. */
function hasEnded(known: StepRecord | undefined): boolean {
  return known !== undefined && (known.state === "reset" || isEndedStep(known.state));
}

function placeOf(key: string, item: number): string {
  return `${key} ${item}`;
}
