import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";

export type DeliveryView = {
  readonly id: string;
  readonly hookName: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  /** Path and query after the catch URL; empty if it was called as is. */
  readonly target: string;
  readonly eventType: string | null;
  readonly contentType: string | null;
  /** In bytes. */
  readonly bodySize: number;
  /** Null: empty, or not text. */
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
  /** In bytes. */
  readonly size: number;
  readonly hook?: string;
  readonly runs: readonly (readonly [status: RunStatus, count: number])[];
  /** Unix milliseconds. */
  readonly at: number;
};

/** @param isOneHook rows don't name the hook */
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

/** More than fits on the widest line. */
const maxBodyChars = 70;

function describeBody({ bodyStart, bodySize, contentType }: DeliveryView): string {
  if (bodySize === 0) return "No body";
  return bodyStart ?? contentType ?? "Binary";
}

const soonMs = 60_000;

/**
 * Its runs are about to change. Runs that have waited longer than a minute are waiting for
 * something else.
 */
export function isMovingDelivery({ runs, receivedAt }: DeliveryView, nowMs: number): boolean {
  const isNew = nowMs - receivedAt.getTime() < soonMs;
  return runs.some(({ status }) => status === "running" || (status === "queued" && isNew));
}
