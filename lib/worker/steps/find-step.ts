import type { StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import type { StepRecord } from "#lib/db/queue/load-steps.ts";
import { isEndedStep } from "#lib/schema/act/step-limits.ts";
import { type AnyStep, repeatsUnknown, type StepOf } from "#lib/schema/act/steps.ts";
import { interruptedAttempt } from "../outcome/run-outcome.ts";
import { ask, done, endStep, lost, pauseForDelay } from "./step-ends.ts";
import { placeOf, type WorkerRun } from "./worker-run.ts";

/**
 * The state of a step in the ledger. Null: the step has to run, for the first time or again because
 * a user retried the run that it stopped.
 */
export async function findStep(worker: WorkerRun, run: StepRun): Promise<StepEnd | null> {
  const { step, item } = run;
  const known = worker.ledger.find(step.key, placeOf(run));
  if (known === undefined) return null;
  if (isEndedStep(known.state)) {
    const ended = readEnded(worker, step, known);
    if (ended !== null || item !== null || step.forEach === null) return ended;
    return (await worker.ledger.resetFailed(step.key)) ? null : lost;
  }
  // The items of a list wait, but not the list itself.
  if (item === null && step.forEach !== null) return null;
  const dueInMs = Math.max(0, known.dueInMs ?? 0);
  switch (known.state) {
    case "unknown":
      return ask(step);
    case "calling":
      return await resumeUnknown(worker, step as StepOf<"call">, run, known);
    case "waiting":
      if (step.kind === "delay")
        return dueInMs > 0
          ? pauseForDelay(step, dueInMs)
          : await endStep(worker, run, { state: "succeeded", value: null });
      if (step.kind !== "call" || dueInMs === 0) return null;
      return { kind: "pause", code: "rate_limited", detail: waitsForSlot, delayMs: dueInMs };
    case "retrying":
      if (dueInMs === 0) return null;
      return { kind: "pause", code: "retry", detail: known.errorMessage ?? "", delayMs: dueInMs };
    default:
      return null;
  }
}

const waitsForSlot = "A step waits for the rate limit of its destination.";

function readEnded(
  { isRetriedManually }: WorkerRun,
  step: AnyStep,
  { state, errorCode, errorMessage }: StepRecord,
): StepEnd | null {
  if (state !== "failed") return done;
  if (step.onFailure === "stop" && isRetriedManually) return null;
  const code = errorCode ?? "failed";
  const message = errorMessage ?? "The step failed.";
  return { kind: "failed", key: step.key, code, message };
}

/** Resumes a call that may have been sent and whose response isn't recorded. */
async function resumeUnknown(
  { ledger }: WorkerRun,
  step: StepOf<"call">,
  run: StepRun,
  known: StepRecord,
): Promise<StepEnd | null> {
  const attempt = interruptedAttempt(known.attemptCount);
  const repeats = repeatsUnknown(step);
  const change = { state: repeats ? "retrying" : "unknown", attempt, delayMs: 0 } as const;
  if (!(await ledger.set(step.key, placeOf(run), change))) return lost;
  return repeats ? null : ask(step);
}
