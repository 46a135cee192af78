import type { StepOutcome } from "#lib/core/steps/kinds/step-kind.ts";
import type { StepEnd, StepPause, StepRun } from "#lib/core/steps/step-driver.ts";
import { writeStepResult } from "#lib/core/steps/step-result.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import { toStoredText } from "../outcome/stored-attempt.ts";
import { placeOf, type WorkerRun } from "./worker-run.ts";

export const lost: StepEnd = { kind: "lost" };
export const done: StepEnd = { kind: "done" };

/** Records the outcome of a step. */
export async function endStep(
  { ledger, config }: WorkerRun,
  run: StepRun,
  outcome: StepOutcome,
): Promise<StepEnd> {
  const { key } = run.step;
  const record = (change: Parameters<typeof ledger.set>[2]) =>
    ledger.set(key, placeOf(run), change);
  switch (outcome.state) {
    case "succeeded": {
      const resultJson = writeStepResult(outcome);
      return (await record({ state: "succeeded", resultJson })) ? done : lost;
    }
    case "skipped": {
      const error = { code: "when_not_matched", message: toStoredText(outcome.message) };
      const change = { state: "skipped", resultJson: writeStepResult(outcome), error } as const;
      return (await record(change)) ? done : lost;
    }
    case "failed": {
      const message = toStoredText(outcome.message, config.secretValues);
      const error = { code: outcome.code, message };
      const resultJson = writeStepResult({ ...outcome, message });
      const change = { state: "failed", resultJson, error } as const;
      return (await record(change)) ? { kind: "failed", key, ...error } : lost;
    }
    default:
      return outcome satisfies never;
  }
}

/** @param why the reason for which the step waits */
export function pause({ key }: AnyStep, code: string, why: string, delayMs: number): StepPause {
  return { kind: "pause", code, detail: `Step ${key}: ${why}`, delayMs };
}

export function pauseForDelay(step: AnyStep, delayMs: number): StepPause {
  return pause(step, "delay", "the delay isn't over yet.", delayMs);
}

/** Holds the run until a user says what happened. */
export function ask(step: AnyStep): StepPause {
  return pause(step, "outcome_unknown", unknown, never);
}

const unknown =
  "the worker stopped before the response arrived, so the call may or may not have " +
  "been made. Check the receiver, then choose whether to repeat it.";

/** A hundred years, because only a user ends the wait. */
const never = 100 * 365 * 86_400_000;
