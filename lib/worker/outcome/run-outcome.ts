import { newId, timeOfId } from "#lib/base/ids.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { parseRetryAfter } from "#lib/core/sending/retry/parse-retry-after.ts";
import {
  type AttemptOutcome,
  type NextStep,
  planNextStep,
} from "#lib/core/sending/retry/plan-next-step.ts";
import { evaluateResponse } from "#lib/core/sending/retry/response-verdict.ts";
import { nextDelayMs } from "#lib/core/sending/retry/retry-delay.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun, NewAttempt, NextState } from "#lib/db/queue/finish-runs.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { defaultRetryPolicy, type RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import type { EndedRunState } from "#lib/schema/act/run-states.ts";
import type { SuccessRule } from "#lib/schema/act/success.ts";
import { toStoredResponse, toStoredText } from "./stored-attempt.ts";

export type Executed = {
  readonly finished: FinishedRun;
  /** Null: no call was made. */
  readonly result: CallResult | null;
  /** The names that a step after the last one would see, for an action with several steps. */
  readonly readSteps?: () => { readonly names: StepNames; readonly chars: number };
};

/** A call that was made. */
export type Made = {
  readonly startedAtMs: number;
  readonly requestJson: string;
  readonly result: CallResult;
};

type OutcomeRules = {
  /** Null: the default policy. */
  readonly retry: RetryPolicy | null;
  /** Null: every 2xx is a success. */
  readonly success: SuccessRule | null;
  /** Secrets in plain text. They must not appear in anything that is stored. */
  readonly secretValues: readonly string[];
  /** A number in [0, 1), uniformly distributed, which spreads retries. */
  readonly random: number;
};

/** The outcome of a run whose call was made. */
export function toOutcome(run: ClaimedRun, made: Made, rules: OutcomeRules): Executed {
  const attempt = toAttempt(run.attemptNumber, made, rules.secretValues);
  const attemptNumber = run.attemptNumber - run.attemptsBefore;
  const next = decideNext(run, attemptNumber, made.result, rules);
  return { finished: { ...identify(run, attempt), next }, result: made.result };
}

/** The outcome of a run of several steps, whose attempts are in the ledger. */
export function finish(run: ClaimedRun, next: NextState, attemptCount: number): FinishedRun {
  return { ...identify(run, null), attemptCount, next };
}

/** @param number counted from 1 */
export function toAttempt(number: number, made: Made, secretValues: readonly string[]): NewAttempt {
  const { result } = made;
  const { response } = result;
  const error = result.ok ? null : result.error.code === "cancelled" ? interrupted : result.error;
  return {
    id: newId(),
    number,
    startedAtMs: made.startedAtMs,
    durationMs: Math.round(result.durationMs),
    requestJson: made.requestJson,
    responseJson: response === null ? null : toStoredResponse(response, secretValues),
    errorCode: error?.code ?? null,
    errorMessage: error === null ? null : toStoredText(error.message, secretValues),
  };
}

/** The attempt of a call that we canceled: the receiver may or may not have processed it. */
const interrupted = {
  code: "outcome_unknown",
  message:
    "The worker was stopped before the response arrived. The receiver may have processed the call.",
};

/** An attempt of a worker that died. Nothing else is known about it. */
export function interruptedAttempt(number: number): NewAttempt {
  return {
    id: newId(),
    number,
    startedAtMs: Date.now(),
    durationMs: 0,
    requestJson: null,
    responseJson: null,
    errorCode: interrupted.code,
    errorMessage: interrupted.message,
  };
}

/** @param attemptNumber counted from 1, since the run was created or last retried manually */
export function decideNext(
  run: Pick<ClaimedRun, "id" | "kind" | "retriedAtMs">,
  attemptNumber: number,
  result: CallResult,
  { retry, success, secretValues, random }: OutcomeRules,
): NextState {
  if (!result.ok && result.error.code === "cancelled") {
    return {
      state: "retrying",
      reason: { code: "worker_stopped", detail: "The worker was stopped during the call." },
      delayMs: 0,
    };
  }
  const nowMs = Date.now();
  const step = planNextStep({
    attemptNumber,
    outcome: toAttemptOutcome(result, nowMs, secretValues),
    policy: retry,
    target: run.kind === "send" ? "subscription" : "action",
    verdict:
      success === null || !result.ok
        ? null
        : evaluateResponse(success, result.response, { secretValues, nowMs }),
    elapsedMs: nowMs - (run.retriedAtMs ?? timeOfId(run.id)),
    random,
  });
  const isLoop = !result.ok && result.error.code === "self_call";
  return toNextState(step, isLoop);
}

function toAttemptOutcome(
  result: CallResult,
  nowMs: number,
  secretValues: readonly string[],
): AttemptOutcome {
  if (!result.ok) {
    const { code, message } = result.error;
    const isSaid = ["rejected", "undelivered", "unavailable"].includes(code);
    return { kind: "error", code, ...(isSaid && { says: toStoredText(message, secretValues) }) };
  }
  const { status, headers } = result.response;
  const retryAfter = headers.find(([name]) => name === "retry-after")?.[1];
  return { kind: "response", status, retryAfterMs: parseRetryAfter(retryAfter, nowMs) };
}

function toNextState(step: NextStep, isLoop: boolean): NextState {
  switch (step.kind) {
    case "succeeded":
      return { state: "succeeded", reason: null };
    case "retry":
      return {
        state: "retrying",
        reason: { code: "retry", detail: toStoredText(step.reason) },
        delayMs: step.delayMs,
      };
    case "failed":
      return {
        state: "failed",
        reason: { code: isLoop ? "loop" : step.code, detail: toStoredText(step.reason) },
      };
    case "disable_subscription":
      return { state: "failed", reason: { code: "gone", detail: step.reason } };
    default:
      return step satisfies never;
  }
}

/** Ends a run after an internal error. The owner sees it and can retry the run once it is fixed. */
export function failUnexpectedly(run: ClaimedRun): FinishedRun {
  return failBeforeCall(run, "internal", "Something went wrong on our side.", []).finished;
}

/**
 * The outcome of a run whose delivery or event can't be loaded although the database is available.
 * Its own policy is unknown, so it waits by the default one and fails after as many attempts:
 * claimed again at once, it would loop forever.
 *
 * @param random uniform in [0, 1)
 */
export function failUnloaded(run: ClaimedRun, random: number): FinishedRun {
  const message = `The ${run.kind === "send" ? "event" : "delivery"} could not be loaded.`;
  return tryLater(run, "internal", message, random);
}

/** Tries a run whose call couldn't be made again by the default policy. */
export function tryLater(
  run: ClaimedRun,
  code: string,
  message: string,
  random: number,
): FinishedRun {
  const { finished } = failBeforeCall(run, code, message, []);
  const { maxAttempts, ...policy } = defaultRetryPolicy;
  const attemptNumber = run.attemptNumber - run.attemptsBefore;
  if (attemptNumber >= maxAttempts) return finished;
  const delayMs = nextDelayMs({ attemptNumber, policy, retryAfterMs: null, random });
  return {
    ...finished,
    next: { state: "retrying", reason: { code: "retry", detail: message }, delayMs },
  };
}

/** Ends a run whose call can't be made. A retry would change nothing. */
export function failBeforeCall(
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

/** Ends a run without a call. */
export function endRun(
  run: ClaimedRun,
  state: EndedRunState,
  code: string,
  message: string,
): Executed {
  const next = { state, reason: { code, detail: toStoredText(message) } };
  return { finished: { ...identify(run, null), next }, result: null };
}

/** Puts a run back that may not be called yet. No attempt is counted. */
export function delayRun(
  run: ClaimedRun,
  reason: { readonly code: string; readonly detail: string },
  delayMs: number,
): Executed {
  const next = { state: "retrying", reason, delayMs } as const;
  return { finished: { ...identify(run, null), next }, result: null };
}

/** Adds the version of the action that ran to an outcome. */
export function withVersion(executed: Executed, version: number): Executed {
  return { ...executed, finished: { ...executed.finished, version } };
}

/** The parts of a run that the queue and the history need. */
function identify(run: ClaimedRun, attempt: NewAttempt | null) {
  const { id, leaseId, accountId, targetId, hasOwnId } = run;
  const attemptCount = attempt?.number ?? run.attemptNumber - 1;
  const held = { id, leaseId, accountId, targetId, hasOwnId, attemptCount, attempt };
  if (run.kind === "send") return { ...held, kind: run.kind, eventId: run.eventId };
  const { kind, hookId, deliveryId } = run;
  return { ...held, kind, hookId, deliveryId };
}
