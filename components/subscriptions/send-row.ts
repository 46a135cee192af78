import { describeResponse } from "#components/status/describe-response.ts";
import { summarizeRun } from "#components/status/summarize-reason.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";

/** A send in a list, as it is sent to the browser: only what is shown, defaults left out. */
export type SendRow = {
  readonly id: string;
  readonly status: RunStatus;
  /** Omitted: the event was deleted. */
  readonly eventId?: string;
  readonly eventType?: string;
  /** The reason for the state, or the receiver's response, in a few words. */
  readonly why?: string;
  /** The reason in a sentence. */
  readonly detail?: string;
  /** The time of the next attempt if the send is waiting, in Unix milliseconds. */
  readonly nextAt?: number;
  readonly attempts: number;
  readonly durationMs?: number;
  /** Unix milliseconds. */
  readonly at: number;
};

export function toSendRow(run: RunListItem, nowMs: number): SendRow {
  const { id, status, reason, nextAttemptAt, eventType, eventId, durationMs, httpStatus } = run;
  const why = summarizeRun(run) ?? (httpStatus === null ? null : describeResponse(httpStatus));
  const isWaiting =
    status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() > nowMs;
  return {
    id,
    status,
    ...(eventId !== null && { eventId }),
    ...(eventType !== null && { eventType }),
    ...(why !== null && { why }),
    ...(reason !== null && { detail: reason.detail }),
    ...(isWaiting && { nextAt: nextAttemptAt.getTime() }),
    attempts: run.attemptCount,
    ...(durationMs !== null && { durationMs }),
    at: run.createdAt.getTime(),
  };
}
