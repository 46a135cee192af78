import { type DeliveryRow, type RunDelivery, toRunDelivery } from "./run-delivery.ts";

/**
 * A run whose worker died this many times in a row, without an attempt ending in between, is not
 * tried again.
 */
export const maxCrashes = 3;

/**
 * The number of crashes before which one more would be the last. Candidates start one at a time, so
 * that it is clear which run causes the crash.
 */
export const crashCandidateThreshold = maxCrashes - 1;

/** The place of the first open run of an action queue that a claim found. */
export type KnownQueue = {
  readonly accountId: string;
  readonly targetId: string;
  /** Unix time. */
  readonly floorMs: number;
};

export type Claim = {
  readonly runs: readonly ClaimedRun[];
  /** The queues that runs were taken from. */
  readonly queues: readonly KnownQueue[];
  /** True if runs were due that it left, because of a limit. */
  readonly hasMore: boolean;
  /** The statement's time in the database. 0 if it found nothing. */
  readonly durationMs: number;
};

/** The action and delivery, or the event, of a run. */
export type RunSource =
  /** An action on a delivery. */
  | { readonly kind: "action"; readonly hookId: string; readonly deliveryId: string }
  /** A subscription's send of an event. */
  | { readonly kind: "send"; readonly eventId: string };

type ClaimedAny = {
  readonly id: string;
  readonly leaseId: string;
  readonly accountId: string;
  /** The id of the action or the subscription. */
  readonly targetId: string;
  /** Changes whenever the action or its hook does, or the subscription or its account's settings. */
  readonly targetVersion: string;
  /** The number of the attempt to make now. The first is 1. */
  readonly attemptNumber: number;
  /** The number of attempts before the last manual retry. The retry policy counts from there. */
  readonly attemptsBefore: number;
  /** The time of the last manual retry, as Unix time. Null: never. */
  readonly retriedAtMs: number | null;
  /** The size of its delivery's or event's body, in bytes. */
  readonly bodySize: number;
  /** The breakers that its outcome counts for, by the ids of their targets. */
  readonly breakers: readonly string[];
  /** True if its id doesn't start with that of its delivery or event. */
  readonly hasOwnId: boolean;
  /**
   * True if its worker died twice in a row. The run is probably not the cause, but if it is, it has
   * to run alone.
   */
  readonly isCrashCandidate: boolean;
};

export type ClaimedActionRun = ClaimedAny &
  Extract<RunSource, { kind: "action" }> & {
    /** Null: not loaded with the claim, or no longer stored. */
    readonly delivery: RunDelivery | null;
    /** True if its action is ordered, and its key has to be found before it can run. */
    readonly isUnkeyed: boolean;
    /** True if it was stored for this worker. No one has worked on it before. */
    readonly isHandedOver: boolean;
  };

export type ClaimedSend = ClaimedAny & Extract<RunSource, { kind: "send" }>;

export type ClaimedRun = ClaimedActionRun | ClaimedSend;

type SourceColumns =
  | { hook_id: string; delivery_id: string; published_id: null }
  | { hook_id: null; delivery_id: null; published_id: string };

type RunRow = SourceColumns & {
  id: string;
  account_id: string;
  target_id: string;
  attempt_count: number;
  attempts_before: number;
  retried_ms: number | null;
  is_unkeyed: boolean | null;
  body_size: number;
  has_own_id: boolean;
  crash_count: number;
  front_ms: null;
  method: null;
};

type QueueRow = {
  id: null;
  account_id: string;
  target_id: string;
  version: string;
  breakers: string[] | null;
  front_ms: number;
  duration_ms: number;
  /** Due runs that no worker had. */
  due_count: number;
  method: null;
};

/** Rows of three kinds: runs, their queues, and their deliveries. */
export type ClaimedRow = RunRow | QueueRow | (DeliveryRow & { id: null });

export function readClaim(rows: readonly ClaimedRow[], leaseId: string): Claim {
  const queues = new Map<string, QueueRow>();
  const deliveries = new Map<string, RunDelivery>();
  for (const row of rows) {
    if (row.method !== null) deliveries.set(row.delivery_id, toRunDelivery(row));
    else if (row.front_ms !== null) queues.set(row.target_id, row);
  }
  const runs = rows.flatMap((row) =>
    row.id === null ? [] : [toClaimedRun(row, leaseId, queues, deliveries)],
  );
  const taken = new Set(runs.map(({ targetId }) => targetId));
  const known = [...queues.values()].filter(({ target_id }) => taken.has(target_id));
  const due = queues.values().reduce((sum, { due_count }) => sum + due_count, 0);
  return {
    runs,
    queues: known.map(toKnownQueue),
    hasMore: due > runs.length,
    durationMs: known[0]?.duration_ms ?? 0,
  };
}

function toClaimedRun(
  row: RunRow,
  leaseId: string,
  queues: ReadonlyMap<string, QueueRow>,
  deliveries: ReadonlyMap<string, RunDelivery>,
): ClaimedRun {
  const { hook_id: hookId, delivery_id: deliveryId } = row;
  const claimed = {
    id: row.id,
    leaseId,
    accountId: row.account_id,
    targetId: row.target_id,
    targetVersion: queues.get(row.target_id)?.version ?? "",
    attemptNumber: row.attempt_count + 1,
    attemptsBefore: row.attempts_before,
    retriedAtMs: row.retried_ms,
    bodySize: row.body_size,
    breakers: queues.get(row.target_id)?.breakers ?? [],
    hasOwnId: row.has_own_id,
    isCrashCandidate: row.crash_count >= crashCandidateThreshold,
  };
  if (hookId === null) return { ...claimed, kind: "send", eventId: row.published_id };
  const delivery = deliveries.get(deliveryId) ?? null;
  const isUnkeyed = row.is_unkeyed === true;
  const source = { kind: "action", hookId, deliveryId, delivery } as const;
  return { ...claimed, ...source, isUnkeyed, isHandedOver: false };
}

function toKnownQueue(row: QueueRow): KnownQueue {
  return { accountId: row.account_id, targetId: row.target_id, floorMs: row.front_ms };
}
