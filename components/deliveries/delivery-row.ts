import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";

export type DeliveryView = {
  readonly id: string;
  readonly hookName: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  /** Path and query after the catch URL. Empty if it was called without them. */
  readonly target: string;
  readonly eventType: string | null;
  readonly contentType: string | null;
  /** The size in bytes. */
  readonly bodySize: number;
  /** Null: the body is empty, or isn't text. */
  readonly bodyStart: string | null;
  readonly verificationOutcome: string;
  readonly isSample: boolean;
  readonly runs: readonly { readonly status: RunStatus; readonly count: number }[];
};

/** A delivery in a list, as it is sent to the browser: only what is shown, defaults left out. */
export type DeliveryRow = {
  readonly id: string;
  readonly status: DeliveryStatus;
  /** Omitted: verified. */
  readonly outcome?: string;
  readonly isSample?: true;
  /** Omitted: POST. */
  readonly method?: string;
  /** The event type or else the path. */
  readonly name?: string;
  readonly reason?: string;
  readonly body: string;
  /** The size in bytes. */
  readonly size: number;
  readonly hook?: string;
  readonly runs: readonly (readonly [status: RunStatus, count: number])[];
  /** Unix milliseconds. */
  readonly at: number;
};

/** @param isOneHook rows don't show the hook */
export function toDeliveryRow(delivery: DeliveryView, isOneHook: boolean): DeliveryRow {
  const { id, status, method, target, eventType, reason, hookName, verificationOutcome } = delivery;
  const name = eventType ?? (target === "" ? null : target);
  const body = describeBody(delivery);
  return {
    id,
    status,
    ...(verificationOutcome !== "verified" && { outcome: verificationOutcome }),
    ...(delivery.isSample && { isSample: true }),
    ...(method !== "POST" && { method }),
    ...(name !== null && { name }),
    ...(status === "rejected" && reason !== null && { reason }),
    body: body.length > maxBodyChars ? `${body.slice(0, maxBodyChars)}…` : body,
    size: delivery.bodySize,
    ...(!isOneHook && { hook: hookName }),
    runs: delivery.runs.map(({ status: state, count }) => [state, count]),
    at: delivery.receivedAt.getTime(),
  };
}

/** The number of characters fits on the widest line. */
const maxBodyChars = 70;

function describeBody({ bodyStart, bodySize, contentType }: DeliveryView): string {
  if (bodySize === 0) return "No body";
  return bodyStart ?? contentType ?? "Binary";
}

const soonMs = 60_000;

/**
 * True if its runs are about to change. Runs that have waited longer than a minute are waiting for
 * something else.
 */
export function isMovingDelivery({ runs, receivedAt }: DeliveryView, nowMs: number): boolean {
  const isNew = nowMs - receivedAt.getTime() < soonMs;
  return runs.some(({ status }) => status === "running" || (status === "queued" && isNew));
}
