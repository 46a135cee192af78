import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { StepRecord } from "#lib/db/queue/load-steps.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { SentRequest } from "#lib/db/replays/load-sent-requests.ts";
import { makeCall } from "../action/make-call.ts";
import { prepareAsSent } from "../action/prepare-as-sent.ts";
import { prepareRun } from "../action/prepare-run.ts";
import type { ActionConfig } from "../config/action-config.ts";
import {
  type Executed,
  endRun,
  failBeforeCall,
  toOutcome,
  withVersion,
} from "../outcome/run-outcome.ts";
import { purposeOf } from "../outcome/worker-signals.ts";
import { executeSteps } from "../steps/execute-steps.ts";
import type { StepsOptions } from "../steps/worker-run.ts";

export type ExecuteInput = {
  readonly run: ClaimedActionRun;
  /** The run's ledger. Empty for an action with one call. */
  readonly records: readonly StepRecord[];
  /** The action. Undefined: it was deleted after the run was queued. */
  readonly target: RunTarget | undefined;
  readonly delivery: RunDelivery | undefined;
  /**
   * The request of an earlier run, to send again. Undefined: the request is built from the current
   * action.
   */
  readonly sent?: SentRequest | undefined;
};

/**
 * Makes one attempt of an action's run: filter, request, call, and next state. An action with steps
 * continues with the first that has no outcome. Never rejects because of a delivery, an action, or a
 * receiver.
 */
export async function executeRun(input: ExecuteInput, options: StepsOptions): Promise<Executed> {
  const { run, target } = input;
  if (target === undefined)
    return endRun(run, "cancelled", "action_gone", "The action was deleted.");
  const version = input.sent?.version ?? target.actionVersion;
  return withVersion(await execute({ ...input, target }, options), version);
}

async function execute(
  { run, target, delivery, records, sent }: ExecuteInput & { readonly target: RunTarget },
  options: StepsOptions,
): Promise<Executed> {
  if (delivery === undefined)
    return endRun(run, "failed", "delivery_gone", "The delivery is no longer stored.");
  const read = options.configs.read(target);
  if (!read.ok) return failBeforeCall(run, read.code, read.message, []);
  const { config } = read;
  if (sent !== undefined) return repeatSent({ run, target, delivery, config, sent }, options);
  if (config.steps !== null)
    return executeSteps({ run, target, delivery, config, records }, options);
  const nowMs = Date.now();
  const { version } = options;
  const input = { runId: run.id, target, config, delivery, version, nowMs };
  const prepared = await prepareRun(options.threads, input);
  switch (prepared.kind) {
    case "skip":
      return endRun(run, "skipped", "filter_not_matched", prepared.message);
    case "fail":
      return failBeforeCall(run, prepared.code, prepared.message, config.secretValues);
    case "ready": {
      const { credential, secretValues: known } = config;
      const call = {
        purpose: purposeOf(run),
        startedAtMs: nowMs,
        request: prepared.value,
        credential,
        timeoutMs: target.options.timeoutMs,
        secretValues: known,
      };
      const { made, secretValues } = await makeCall(call, options);
      return toOutcome(run, made, { ...config, secretValues, random: options.random() });
    }
    default:
      return prepared satisfies never;
  }
}

type Repeat = {
  readonly run: ClaimedActionRun;
  readonly target: RunTarget;
  readonly delivery: RunDelivery;
  readonly config: ActionConfig;
  readonly sent: SentRequest;
};

/** Makes one attempt of a run that sends a request as it was. */
async function repeatSent(input: Repeat, options: StepsOptions): Promise<Executed> {
  const { run, target, config } = input;
  const { version } = options;
  const asSent = { ...input, runId: run.id, version };
  const prepared = await prepareAsSent(options.threads, asSent);
  if (prepared.kind === "fail")
    return failBeforeCall(run, prepared.code, prepared.message, config.secretValues);
  const { request, isRebuilt } = prepared;
  const credential = isRebuilt && config.steps === null ? config.credential : null;
  const { secretValues: known } = config;
  const call = {
    purpose: purposeOf(run),
    startedAtMs: Date.now(),
    request,
    credential,
    timeoutMs: target.options.timeoutMs,
    secretValues: known,
  };
  const { made, secretValues } = await makeCall(call, options);
  return toOutcome(run, made, { ...config, secretValues, random: options.random() });
}
