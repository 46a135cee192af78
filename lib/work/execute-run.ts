import { parseRetryAfter } from "#lib/core/retry/parse-retry-after.ts";
import {
  type AttemptOutcome,
  type NextStep,
  planNextStep,
} from "#lib/core/retry/plan-next-step.ts";
import { nextDelayMs } from "#lib/core/retry/retry-delay.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun, NewAttempt, NextState } from "#lib/db/queue/finish-runs.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import { newId } from "#lib/ids.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import { defaultRetryPolicy } from "#lib/schema/action/retry-policy.ts";
import type { EndedRunState } from "#lib/schema/run-states.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { ActionConfig, ActionConfigs } from "./action-config.ts";
import { prepareRun } from "./prepare-run.ts";
import { toStoredRequest, toStoredResponse, toStoredText } from "./stored-attempt.ts";

export type ExecuteOptions = {
  readonly client: HttpClient;
  readonly configs: ActionConfigs;
  /** For requests that are too large or slow to build between other runs. */
  readonly threads: ThreadPool<PrepareTasks>;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** Cancels calls in flight when the worker has to stop. */
  readonly signal: AbortSignal;
  /** Uniform in [0, 1): spreads retries. */
  readonly random: () => number;
};

export type ExecuteInput = {
  readonly run: ClaimedRun;
  /** Undefined: deleted since the run was queued. */
  readonly target: RunTarget | undefined;
  readonly delivery: RunDelivery | undefined;
};

export type Executed = {
  readonly finished: FinishedRun;
  /** Null: no call was made. */
  readonly result: CallResult | null;
};

/**
 * Makes one attempt of a run: filter, request, call, and next state. Never rejects because of a
 * delivery, an action, or a receiver.
 */
export async function executeRun(input: ExecuteInput, options: ExecuteOptions): Promise<Executed> {
  const { run, target, delivery } = input;
  if (target === undefined) return end(run, "cancelled", "action_gone", "The action was deleted.");
  if (delivery === undefined)
    return end(run, "failed", "delivery_gone", "The delivery is no longer stored.");
  const read = options.configs.read(target);
  if (!read.ok) return failBeforeCall(run, read.code, read.message, []);
  const { config } = read;
  const prepared = await prepareRun(options.threads, {
    runId: run.id,
    target,
    config,
    delivery,
    version: options.version,
    nowMs: Date.now(),
  });
  switch (prepared.kind) {
    case "skip":
      return end(run, "skipped", prepared.code, prepared.message);
    case "fail":
      return failBeforeCall(run, prepared.code, prepared.message, config.secretValues);
    case "call": {
      const startedAtMs = Date.now();
      const requestJson = toStoredRequest(prepared.request, config.secretValues);
      const { timeoutMs } = target.options;
      const result = await options.client.call(prepared.request, {
        timeoutMs,
        signal: options.signal,
      });
      const attempt = toAttempt(run, config, { startedAtMs, requestJson, result });
      const finished = {
        ...identify(run, attempt),
        next: decideNext(run, config, result, options),
      };
      return { finished, result };
    }
    default:
      return prepared satisfies never;
  }
}

type Made = {
  readonly startedAtMs: number;
  readonly requestJson: string;
  readonly result: CallResult;
};

function toAttempt(run: ClaimedRun, { secretValues }: ActionConfig, made: Made): NewAttempt {
  const { result } = made;
  const { response } = result;
  const error = result.ok ? null : result.error.code === "cancelled" ? interrupted : result.error;
  return {
    id: newId(),
    number: run.attemptNumber,
    startedAtMs: made.startedAtMs,
    durationMs: Math.round(result.durationMs),
    requestJson: made.requestJson,
    responseJson: response === null ? null : toStoredResponse(response, secretValues),
    errorCode: error?.code ?? null,
    errorMessage: error === null ? null : toStoredText(error.message, secretValues),
  };
}

/** We cancelled it: the receiver may or may not have processed it. */
const interrupted = {
  code: "outcome_unknown",
  message:
    "The worker was stopped before the response arrived. The receiver may have processed the call.",
};

function decideNext(
  run: ClaimedRun,
  config: ActionConfig,
  result: CallResult,
  options: ExecuteOptions,
): NextState {
  if (!result.ok && result.error.code === "cancelled") {
    return {
      state: "retrying",
      reason: { code: "worker_stopped", detail: "The worker was stopped during the call." },
      delayMs: 0,
    };
  }
  const step = planNextStep({
    attemptNumber: run.attemptNumber - run.attemptsBefore,
    outcome: toOutcome(result),
    policy: config.retry,
    target: "action",
    random: options.random(),
  });
  const isLoop = !result.ok && result.error.code === "self_call";
  return toNextState(step, isLoop);
}

function toOutcome(result: CallResult): AttemptOutcome {
  if (!result.ok) return { kind: "error", code: result.error.code };
  const { status, headers } = result.response;
  const retryAfter = headers.find(([name]) => name === "retry-after")?.[1];
  return { kind: "response", status, retryAfterMs: parseRetryAfter(retryAfter, Date.now()) };
}

function toNextState(step: NextStep, isLoop: boolean): NextState {
  switch (step.kind) {
    case "succeeded":
      return { state: "succeeded", reason: null };
    case "retry":
      return {
        state: "retrying",
        reason: { code: "retry", detail: step.reason },
        delayMs: step.delayMs,
      };
    case "failed":
      return {
        state: "failed",
        reason: { code: isLoop ? "loop" : step.code, detail: step.reason },
      };
    case "disable_subscription":
      return { state: "failed", reason: { code: "gone", detail: step.reason } };
    default:
      return step satisfies never;
  }
}

/** For an internal error. The owner sees it and can retry the run once it is fixed. */
export function failUnexpectedly(run: ClaimedRun): FinishedRun {
  return failBeforeCall(run, "internal", "Something went wrong on our side.", []).finished;
}

/**
 * For a run whose delivery can't be loaded although the database is available. Its own policy is
 * unknown, so it waits by the default one and fails after as many attempts: claimed again at once,
 * it would loop forever.
 *
 * @param random uniform in [0, 1)
 */
export function failUnloaded(run: ClaimedRun, random: number): FinishedRun {
  const message = "The delivery could not be loaded.";
  const { finished } = failBeforeCall(run, "internal", message, []);
  const { maxAttempts, ...policy } = defaultRetryPolicy;
  const attemptNumber = run.attemptNumber - run.attemptsBefore;
  if (attemptNumber >= maxAttempts) return finished;
  const delayMs = nextDelayMs({ attemptNumber, policy, retryAfterMs: null, random });
  return {
    ...finished,
    next: { state: "retrying", reason: { code: "retry", detail: message }, delayMs },
  };
}

function failBeforeCall(
  run: ClaimedRun,
  code: string,
  message: string,
  secretValues: readonly string[],
): Executed {
  const errorMessage = toStoredText(message, secretValues);
  const attempt: NewAttempt = {
    id: newId(),
    number: run.attemptNumber,
    startedAtMs: Date.now(),
    durationMs: 0,
    requestJson: null,
    responseJson: null,
    errorCode: code,
    errorMessage,
  };
  const next = { state: "failed", reason: { code, detail: errorMessage } } as const;
  return { finished: { ...identify(run, attempt), next }, result: null };
}

function end(run: ClaimedRun, state: EndedRunState, code: string, message: string): Executed {
  const next = { state, reason: { code, detail: toStoredText(message) } };
  return { finished: { ...identify(run, null), next }, result: null };
}

/** What the queue and the history need to know of a run. */
function identify(run: ClaimedRun, attempt: NewAttempt | null) {
  const { id, leaseId, accountId, actionId, hookId, deliveryId, hasOwnId } = run;
  const attemptCount = attempt?.number ?? run.attemptNumber - 1;
  return { id, leaseId, accountId, actionId, hookId, deliveryId, hasOwnId, attemptCount, attempt };
}
