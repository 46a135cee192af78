import { wholeStep } from "#lib/core/steps/collect-results.ts";
import type { StepRecord } from "#lib/db/queue/load-steps.ts";
import { type AnyStep, repeatsUnknown, type StepOf } from "#lib/schema/action/steps.ts";
import { interruptedAttempt } from "../outcome/run-outcome.ts";
import { doCall } from "./do-call.ts";
import { doDelay } from "./do-delay.ts";
import { doPublish } from "./do-publish.ts";
import { doTransform } from "./do-transform.ts";
import { ask, lost, readEnded, type StepFlow, type StepItem, type StepWork } from "./step-flow.ts";
import type { StepInput } from "./step-plan.ts";

/** One step, or one item of a step with `forEach`. */
export async function doStep(
  work: StepWork,
  step: AnyStep,
  item: StepItem | null,
): Promise<StepFlow> {
  const at = item?.index ?? wholeStep;
  const ended = readEnded(work, step, at);
  if (ended !== null) return ended;
  const held = await holdBack(work, step, at, work.ledger.find(step.key, at));
  if (held !== null) return held;
  const { run, ledger } = work;
  const input: StepInput = {
    when: step.when,
    names: ledger.names(item ?? undefined),
    nameChars: ledger.resultChars,
    idempotencyKey: item === null ? `${run.id}-${step.key}` : `${run.id}-${step.key}-${at}`,
  };
  switch (step.kind) {
    case "call":
      return doCall(work, step, at, input);
    case "transform":
      return doTransform(work, step, at, input);
    case "delay":
      return doDelay(work, step, at, input);
    case "publish":
      return doPublish(work, step, at, input);
    default:
      return step satisfies never;
  }
}

/** Null: it can begin now. */
async function holdBack(
  work: StepWork,
  step: AnyStep,
  at: number,
  known: StepRecord | undefined,
): Promise<StepFlow | null> {
  if (known === undefined) return null;
  const { state, dueInMs } = known;
  if (state === "unknown") return ask(step);
  if (state === "calling") return await resumeUnknown(work, step as StepOf<"call">, at, known);
  if (state === "waiting" && step.kind === "call" && dueInMs !== null && dueInMs > 0)
    return { kind: "pause", code: "rate_limited", detail: waitsForPlace, delayMs: dueInMs };
  if (state === "retrying" && dueInMs !== null && dueInMs > 0)
    return { kind: "pause", code: "retry", detail: known.errorMessage ?? "", delayMs: dueInMs };
  return null;
}

const waitsForPlace = "A step waits for the rate limit of its destination.";

/** The call may have been sent, and its answer isn't recorded. */
async function resumeUnknown(
  work: StepWork,
  step: StepOf<"call">,
  at: number,
  known: StepRecord,
): Promise<StepFlow | null> {
  const attempt = interruptedAttempt(known.attemptCount);
  const repeats = repeatsUnknown(step);
  const change = { state: repeats ? "retrying" : "unknown", attempt, delayMs: 0 } as const;
  if (!(await work.ledger.set(step.key, at, change))) return lost;
  return repeats ? null : ask(step);
}
