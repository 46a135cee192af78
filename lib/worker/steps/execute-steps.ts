import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { NextState } from "#lib/db/queue/finish-runs.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { StepRecord } from "#lib/db/queue/load-steps.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { AnyStep } from "#lib/schema/action/steps.ts";
import type { StepsConfig } from "../action/action-config.ts";
import { readDelivery } from "../action/read-delivery.ts";
import { type Executed, endRun, failBeforeCall, finish } from "../outcome/run-outcome.ts";
import { doItems } from "./do-items.ts";
import { doStep } from "./do-step.ts";
import { RunLedger } from "./run-ledger.ts";
import type { StepFlow, StepsOptions, StepWork } from "./step-flow.ts";
import { prepareStepValue } from "./step-plan.ts";

export type StepsInput = {
  readonly run: ClaimedRun;
  readonly target: RunTarget;
  readonly delivery: RunDelivery;
  readonly config: StepsConfig;
  /** What the ledger has of this run. */
  readonly records: readonly StepRecord[];
};

/**
 * Does the steps of a run, from the first without an outcome. Each outcome is in the ledger before
 * the next step begins, and each call is in it before it is sent, so whatever happens to this
 * process, a step that has ended is never done again.
 */
export async function executeSteps(input: StepsInput, options: StepsOptions): Promise<Executed> {
  const { run, target, delivery, config, records } = input;
  const ledger = new RunLedger(run, records, options);
  const ground = {
    threads: options.threads,
    target,
    delivery: readDelivery(delivery),
    version: options.version,
  };
  let last: CallResult | null = null;
  const work: StepWork = {
    ...options,
    run,
    ground,
    config,
    ledger,
    isRetriedManually: run.attemptsBefore >= ledger.attemptCount,
    onCalled: (result) => {
      last = result;
    },
  };
  if (ledger.isEmpty && config.filter !== null) {
    const about = {
      when: config.filter,
      names: { steps: {} },
      nameChars: 0,
      idempotencyKey: run.id,
    };
    const checked = await prepareStepValue(ground, about, null);
    if (checked.kind === "skip")
      return endRun(run, "skipped", "filter_not_matched", checked.message);
    if (checked.kind === "fail")
      return failBeforeCall(run, checked.error.code, checked.error.message, config.secretValues);
  }
  const flow = await doSteps(work, config.steps);
  const finished = finish(run, toNextState(flow, ledger), ledger.attemptCount);
  const readSteps = () => ({ names: ledger.names(), chars: ledger.resultChars });
  return { finished, result: last, readSteps };
}

async function doSteps(work: StepWork, steps: readonly AnyStep[]): Promise<StepFlow> {
  for (const step of steps) {
    if (work.stopping.aborted) return stopped;
    const flow = await doOne(work, step);
    if (flow.kind === "failed" && step.onFailure === "continue") continue;
    if (flow.kind === "failed" && typeof step.onFailure === "object") {
      const handled = await doSteps(work, step.onFailure.steps);
      if (handled.kind !== "done") return handled;
    } else if (flow.kind !== "done") return flow;
  }
  return { kind: "done" };
}

function doOne(work: StepWork, step: AnyStep): Promise<StepFlow> {
  return step.forEach === null ? doStep(work, step, null) : doItems(work, step, step.forEach);
}

const stopped: Extract<StepFlow, { kind: "pause" }> = {
  kind: "pause",
  code: "worker_stopped",
  detail: "The worker was stopped between two steps.",
  delayMs: 0,
};

/** Lost: whatever is written for this lease is dropped, so the state doesn't matter. */
function toNextState(flow: StepFlow, ledger: RunLedger): NextState {
  switch (flow.kind) {
    case "done":
      return { state: "succeeded", reason: describeHandled(ledger.failedCount) };
    case "failed":
      return {
        state: "failed",
        reason: { code: flow.code, detail: `Step ${flow.key}: ${flow.message}` },
      };
    case "pause":
    case "lost": {
      const { code, detail, delayMs } = flow.kind === "lost" ? stopped : flow;
      return { state: "retrying", reason: { code, detail }, delayMs };
    }
    default:
      return flow satisfies never;
  }
}

function describeHandled(count: number) {
  if (count === 0) return null;
  const steps = count === 1 ? "1 step failed and was" : `${count} steps failed and were`;
  return { code: "failures_handled", detail: `${steps} handled as the action says.` };
}
