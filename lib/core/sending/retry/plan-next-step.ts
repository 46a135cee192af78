import { defaultRetryPolicy, type RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import type { CallErrorCode } from "./call-error.ts";
import type { ResponseVerdict } from "./response-verdict.ts";
import { nextDelayMs } from "./retry-delay.ts";

/** The outcome of an attempt. */
export type AttemptOutcome =
  | {
      readonly kind: "response";
      readonly status: number;
      /** The result of `parseRetryAfter`. */
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: "error";
      readonly code: CallErrorCode;
      /** A clause with the receiver's words, which begins a sentence. */
      readonly says?: string;
    };

export type PlanInput = {
  /**
   * The attempt that just ended, counted from 1 since the run was created or last retried manually.
   */
  readonly attemptNumber: number;
  readonly outcome: AttemptOutcome;
  /** Null: the default policy. */
  readonly policy: RetryPolicy | null;
  readonly target: "action" | "subscription";
  /** The verdict of the action's success rule. Omitted: a 2xx is a success. */
  readonly verdict?: ResponseVerdict | null;
  /** The time since the run was created or last retried manually. */
  readonly elapsedMs?: number;
  /** Uniform in [0, 1), for jitter. */
  readonly random: number;
};

/** `reason` is one sentence for the user. */
export type NextStep =
  | { readonly kind: "succeeded" }
  | { readonly kind: "retry"; readonly delayMs: number; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly code: "not_retried" | "attempts_exhausted" | "gave_up";
      readonly reason: string;
    }
  /** The receiver is gone (410): the run failed and its subscription will be disabled. */
  | { readonly kind: "disable_subscription"; readonly reason: string };

/**
 * Decides what follows an attempt. 2xx succeeds, unless a success rule says otherwise. Actions
 * retry what their policy lists. Subscriptions retry every other response and transient failure,
 * except 410, which ends the subscription (https://www.standardwebhooks.com). Blocked and invalid
 * requests are not retried, since they would fail again. 3xx is never followed.
 */
export function planNextStep({
  attemptNumber,
  outcome,
  policy,
  target,
  verdict = null,
  elapsedMs = 0,
  random,
}: PlanInput): NextStep {
  if (isSuccess(outcome, verdict)) return { kind: "succeeded" };
  const reason = describeOutcome(outcome, verdict);
  if (target === "subscription" && outcome.kind === "response" && outcome.status === 410) {
    return { kind: "disable_subscription", reason: `${reason}: it wants no more events` };
  }
  const { maxAttempts, ...rest } = policy ?? defaultRetryPolicy;
  const hasAnyMatch =
    target === "subscription" ? isTransient(outcome) : isListed(outcome, rest.on, verdict);
  if (!hasAnyMatch)
    return { kind: "failed", code: "not_retried", reason: `${reason}; this is not retried` };
  if (attemptNumber >= maxAttempts) {
    return {
      kind: "failed",
      code: "attempts_exhausted",
      reason: `${reason}; attempt ${attemptNumber} of ${maxAttempts} was the last`,
    };
  }
  const retryAfterMs = outcome.kind === "response" ? outcome.retryAfterMs : null;
  const delayMs = nextDelayMs({ attemptNumber, policy: rest, retryAfterMs, random });
  const giveUpAfter = rest.giveUpAfterSeconds ?? null;
  if (giveUpAfter !== null && elapsedMs + delayMs > giveUpAfter * 1_000) {
    const late = `the next attempt would be later than ${giveUpAfter} seconds after the start`;
    return { kind: "failed", code: "gave_up", reason: `${reason}; ${late}` };
  }
  return { kind: "retry", delayMs, reason };
}

function describeOutcome(outcome: AttemptOutcome, verdict: ResponseVerdict | null): string {
  if (outcome.kind === "error") return outcome.says ?? errorTexts[outcome.code];
  const { status } = outcome;
  if (verdict?.isSuccess === false && verdict.because !== null)
    return `The receiver responded with ${status}, but ${verdict.because}`;
  if (status >= 300 && status < 400) return `The receiver responded with a redirect (${status})`;
  return `The receiver responded with ${status}`;
}

/** The first part of a reason. None quotes a request or a response. */
export const errorTexts: Record<CallErrorCode, string> = {
  blocked: "The address or port may not be called",
  self_call: "The URL points to this server",
  invalid_request: "The request could not be sent as it is",
  dns: "The name of the host could not be resolved",
  connect: "No connection could be made",
  tls: "The TLS handshake failed",
  timeout: "The receiver did not answer in time",
  reset: "The connection was closed before the response was complete",
  protocol: "The response was not valid HTTP",
  credential: "The credential could not be used",
  rejected: "The receiver rejected the event",
  undelivered: "The receiver didn't take the event",
  unavailable: "The receiver can't take events now",
  cancelled: "The call was canceled",
};

function isSuccess(outcome: AttemptOutcome, verdict: ResponseVerdict | null): boolean {
  if (outcome.kind === "error") return false;
  return verdict?.isSuccess ?? (outcome.status >= 200 && outcome.status < 300);
}

/** Codes of a policy's `connection` condition. Codes in neither class are permanent. */
const connectionCodes: ReadonlySet<CallErrorCode> = new Set([
  "dns",
  "connect",
  "tls",
  "reset",
  "protocol",
  "credential",
  "undelivered",
  "unavailable",
]);

function isTransient(outcome: AttemptOutcome): boolean {
  return (
    outcome.kind === "response" || outcome.code === "timeout" || connectionCodes.has(outcome.code)
  );
}

function isListed(
  outcome: AttemptOutcome,
  on: RetryPolicy["on"],
  verdict: ResponseVerdict | null,
): boolean {
  if (outcome.kind === "error") {
    return outcome.code === "timeout"
      ? on.includes("timeout")
      : connectionCodes.has(outcome.code) && on.includes("connection");
  }
  if (verdict?.isSuccess === false && on.includes("unsuccessful")) return true;
  const isServerError = outcome.status >= 500 && outcome.status < 600;
  return on.includes(outcome.status) || (isServerError && on.includes("5xx"));
}
