import type { StepEnd } from "#lib/core/steps/step-driver.ts";
import { walkSteps } from "#lib/core/steps/walk-steps.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { NextState } from "#lib/db/queue/finish-runs.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { StepRecord } from "#lib/db/queue/load-steps.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { readDelivery } from "../action/read-delivery.ts";
import type { StepsConfig } from "../config/action-config.ts";
import { type Executed, endRun, failBeforeCall, finish } from "../outcome/run-outcome.ts";
import { RunLedger } from "./run-ledger.ts";
import { prepareFilter, type StepContext } from "./step-context.ts";
import { performSteps, stopped } from "./worker-driver.ts";
import type { StepsOptions } from "./worker-run.ts";

type StepsInput = {
  readonly run: ClaimedRun;
  readonly target: RunTarget;
  readonly delivery: RunDelivery;
  readonly config: StepsConfig;
  /** The ledger of this run. */
  readonly records: readonly StepRecord[];
};

/**
 * Runs the steps of a run, from the first without an outcome. Each outcome is in the ledger before
 * the next step starts, and each call is in it before it is sent, so a step that has ended never
 * runs again, even if this process dies.
 */
export async function executeSteps(input: StepsInput, options: StepsOptions): Promise<Executed> {
  const { run, target, delivery, config, records } = input;
  const ledger = new RunLedger(run, records, options);
  const readNames: StepContext["readNames"] = (item) => ({
    names: ledger.names(item ?? undefined),
    chars: ledger.resultChars,
  });
  const context = {
    runId: run.id,
    threads: options.threads,
    target,
    delivery: readDelivery(delivery),
    version: options.version,
    auths: config.auths,
    readNames,
  };
  if (ledger.isEmpty && config.filter !== null) {
    const checked = await prepareFilter(context, config.filter);
    if (checked.kind === "skip")
      return endRun(run, "skipped", "filter_not_matched", checked.message);
    if (checked.kind === "fail")
      return failBeforeCall(run, checked.code, checked.message, config.secretValues);
  }
  let last: CallResult | null = null;
  const driver = performSteps({
    ...options,
    run,
    context,
    config,
    ledger,
    isRetriedManually: run.attemptsBefore >= ledger.attemptCount,
    onCalled: (result) => {
      last = result;
    },
  });
  const ended = await walkSteps(config.steps, driver);
  const finished = finish(run, toNextState(ended, ledger), ledger.attemptCount);
  const readSteps = () => ({ names: ledger.names(), chars: ledger.resultChars });
  return { finished, result: last, readSteps };
}

/** If the lease is lost, everything written for it is dropped, so the state doesn't matter. */
function toNextState(ended: StepEnd, ledger: RunLedger): NextState {
  switch (ended.kind) {
    case "done":
    case "unknown":
      return { state: "succeeded", reason: describeHandled(ledger.failedCount) };
    case "failed":
      return {
        state: "failed",
        reason: { code: ended.code, detail: `Step ${ended.key}: ${ended.message}` },
      };
    case "pause":
    case "lost": {
      const { code, detail, delayMs } = ended.kind === "lost" ? stopped : ended;
      return { state: "retrying", reason: { code, detail }, delayMs };
    }
    default:
      return ended satisfies never;
  }
}

function describeHandled(count: number) {
  if (count === 0) return null;
  const steps = count === 1 ? "1 step failed and was" : `${count} steps failed and were`;
  return { code: "failures_handled", detail: `${steps} handled as the action says.` };
}
