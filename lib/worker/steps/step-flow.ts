import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import { toResult } from "#lib/core/steps/step-result.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { isEndedStep } from "#lib/schema/action/step-states.ts";
import type { AnyStep } from "#lib/schema/action/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { StepsConfig } from "../action/action-config.ts";
import type { ExecuteOptions } from "../action/execute-options.ts";
import { toStoredText } from "../outcome/stored-attempt.ts";
import type { RunLedger, RunLedgerOptions } from "./run-ledger.ts";
import type { StepGround } from "./step-plan.ts";

export type StepsOptions = ExecuteOptions &
  RunLedgerOptions & {
    readonly db: SqlDatabase;
    /** No further step begins after this. A call in flight has `signal`. */
    readonly stopping: AbortSignal;
  };

/** A run of a worker, with what its steps need. */
export type StepWork = Omit<StepsOptions, "ledger"> & {
  readonly run: ClaimedRun;
  readonly ground: StepGround;
  readonly config: StepsConfig;
  readonly ledger: RunLedger;
  /**
   * The run ended at a failed step, and a user retried it. If its worker died before it had ended, it
   * has made a call since it was last retried.
   */
  readonly isRetriedManually: boolean;
  readonly onCalled: (result: CallResult) => void;
};

export type StepFlow =
  | { readonly kind: "done" }
  | {
      readonly kind: "failed";
      readonly key: string;
      readonly code: string;
      readonly message: string;
    }
  /** The run goes back to the queue, and goes on with this step when it is due. */
  | {
      readonly kind: "pause";
      readonly code: string;
      readonly detail: string;
      readonly delayMs: number;
    }
  /** Another worker has the run, or it was cancelled. Nothing more may be done. */
  | { readonly kind: "lost" };

export const lost: StepFlow = { kind: "lost" };
export const done: StepFlow = { kind: "done" };

export type StepItem = { readonly value: JsonValue; readonly index: number };

/**
 * What an ended step, or an ended item, means for the run. Null: it is to be done, for the first time
 * or again because a user retried the run that it stopped.
 */
export function readEnded(work: StepWork, step: AnyStep, at: number): StepFlow | null {
  const known = work.ledger.find(step.key, at);
  if (known === undefined || !isEndedStep(known.state)) return null;
  if (known.state !== "failed") return done;
  if (step.onFailure === "stop" && work.isRetriedManually) return null;
  return {
    kind: "failed",
    key: step.key,
    code: known.errorCode ?? "failed",
    message: known.errorMessage ?? "The step failed.",
  };
}

/** Held until a person says what happened. */
export function ask({ key }: AnyStep): StepFlow {
  return {
    kind: "pause",
    code: "outcome_unknown",
    detail: `Step ${key}: ${unknown}`,
    delayMs: never,
  };
}

const unknown =
  "the worker stopped before the answer arrived, so the call may or may not have " +
  "been made. Check the receiver, then choose whether to repeat it.";

/** A hundred years: only a person ends it. */
const never = 100 * 365 * 86_400_000;

export async function skip(
  { ledger }: StepWork,
  step: AnyStep,
  at: number,
  message: string,
): Promise<StepFlow> {
  const change = { state: "skipped", resultJson: toResult(null) } as const;
  const error = { code: "when_not_matched", message: toStoredText(message) };
  return (await ledger.set(step.key, at, { ...change, error })) ? done : lost;
}

/** For what a retry wouldn't change. */
export async function fail(
  { ledger, config }: StepWork,
  step: AnyStep,
  at: number,
  error: StepError,
): Promise<StepFlow> {
  const shown = { code: error.code, message: toStoredText(error.message, config.secretValues) };
  const change = { state: "failed", resultJson: toResult(null, shown), error: shown } as const;
  if (!(await ledger.set(step.key, at, change))) return lost;
  return { kind: "failed", key: step.key, ...shown };
}
