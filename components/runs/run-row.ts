import type { RowMarks } from "#components/lists/selection/selection.tsx";
import { summarizeRun } from "#components/status/summarize-reason.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { isEnded, type RunStatus, runStates } from "#lib/schema/act/run-states.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import { deletedAction } from "./action-title.tsx";

/** A run in a list, as it is sent to the browser: only what is shown, defaults left out. */
export type RunRow = {
  readonly id: string;
  readonly status: RunStatus;
  readonly isSample?: true;
  readonly action: string;
  /** The link to the page that shows the run. */
  readonly href?: string;
  /** The reason for the state in a few words. */
  readonly why?: string;
  /** The reason in a sentence. */
  readonly detail?: string;
  /** The time of the next attempt if the run is waiting, in Unix milliseconds. */
  readonly nextAt?: number;
  readonly hook: string;
  /** The event's type, or its id. */
  readonly event?: string;
  /** Shown beside the type. */
  readonly eventId?: string;
  readonly attempts: number;
  readonly durationMs?: number;
  /** The commands that it takes if it is selected. */
  readonly marks: RowMarks;
  /** Unix milliseconds. */
  readonly at: number;
};

export function toRunRow(run: RunListItem, nowMs: number): RunRow {
  const { id, status, reason, nextAttemptAt, eventType, eventId, durationMs } = run;
  const href = hrefOf(run);
  const why = summarizeRun(run);
  const isWaiting =
    status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() > nowMs;
  const event = eventType ?? eventId;
  return {
    id,
    status,
    ...(run.isSample && { isSample: true }),
    action: run.actionName ?? receiverOf(run) ?? deletedAction,
    ...(href !== null && { href }),
    ...(why !== null && { why }),
    ...(reason !== null && { detail: reason.detail }),
    ...(isWaiting && { nextAt: nextAttemptAt.getTime() }),
    hook: run.hookName ?? run.recipient ?? "",
    ...(event !== null && { event }),
    ...(eventType !== null && eventId !== null && { eventId }),
    attempts: run.attemptCount,
    ...(durationMs !== null && { durationMs }),
    marks: listMarks(status),
    at: run.createdAt.getTime(),
  };
}

/** A run that waits for its next attempt can do without the wait. */
function listMarks(status: RunStatus): RowMarks {
  return [
    ...(runStates[status].bulk === "retry" || status === "retrying" ? ["retry"] : []),
    ...(isEnded(status) ? [] : ["cancel"]),
  ];
}

/** The link to its delivery, or to its event if it is a send. */
function hrefOf({ id, deliveryId, eventId, subscriptionId }: RunListItem): string | null {
  if (deliveryId !== null) return `/deliveries/${deliveryId}#${id}`;
  if (subscriptionId === null || eventId === null) return null;
  return `/events/${encodeURIComponent(eventId)}#${id}`;
}

/** The name of a send's receiver. Null: the run belongs to an action. */
export function receiverOf({ receiverUrl }: RunListItem): string | null {
  return receiverUrl === null ? null : nameReceiver(receiverUrl);
}

const soonMs = 60_000;

/** True if it is about to change. A run that has waited for long is waiting for something else. */
export function isMovingRun(
  { status, createdAt, nextAttemptAt }: Pick<RunListItem, "status" | "createdAt" | "nextAttemptAt">,
  nowMs: number,
): boolean {
  if (status === "running") return true;
  if (status === "queued") return nowMs - createdAt.getTime() < soonMs;
  return (
    status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() - nowMs < soonMs
  );
}
