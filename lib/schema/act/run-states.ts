/**
 * The states of a run. API, filters, badges, charts, and SQL follow from this table. Stored ones
 * are also in a check of the database.
 */
type RunState = {
  /** The name, as written in the middle of a sentence. */
  readonly label: string;
  readonly tone: "neutral" | "positive" | "caution" | "negative";
  /** The sign in the timeline of a delivery. */
  readonly sign: "done" | "failed" | "waiting" | "passed" | "now";
  /** `shown`: an open state that isn't stored but follows from the lease, hook, and action. */
  readonly kind: "open" | "ended" | "shown";
  /** A badge for several runs shows the state with the lowest rank. */
  readonly rank: number;
  /** The bulk job for runs in this state. Null: none, because the state is about to change. */
  readonly bulk: "retry" | "cancel" | null;
  /** The color in charts, which list states in this order. Null: charts count it as waiting. */
  readonly color: string | null;
};

export const runStates = {
  queued: {
    label: "queued",
    tone: "neutral",
    sign: "now",
    kind: "open",
    rank: 5,
    bulk: "cancel",
    color: null,
  },
  running: {
    label: "running",
    tone: "neutral",
    sign: "now",
    kind: "shown",
    rank: 4,
    bulk: null,
    color: null,
  },
  retrying: {
    label: "retrying",
    tone: "caution",
    sign: "waiting",
    kind: "open",
    rank: 2,
    bulk: "cancel",
    color: "var(--caution)",
  },
  succeeded: {
    label: "succeeded",
    tone: "positive",
    sign: "done",
    kind: "ended",
    rank: 6,
    bulk: null,
    color: "var(--positive)",
  },
  failed: {
    label: "failed",
    tone: "negative",
    sign: "failed",
    kind: "ended",
    rank: 1,
    bulk: "retry",
    color: "var(--negative)",
  },
  skipped: {
    label: "skipped",
    tone: "neutral",
    sign: "passed",
    kind: "ended",
    rank: 7,
    // Its filter didn't match. It would skip it again.
    bulk: null,
    color: "var(--input)",
  },
  cancelled: {
    label: "canceled",
    tone: "neutral",
    sign: "passed",
    kind: "ended",
    rank: 8,
    bulk: "retry",
    color: "var(--muted-foreground)",
  },
  held: {
    label: "held",
    tone: "caution",
    sign: "waiting",
    kind: "shown",
    rank: 3,
    bulk: "cancel",
    color: null,
  },
} as const satisfies Record<string, RunState>;

type States = typeof runStates;
export type RunStatus = keyof States;
export type StoredRunState = Exclude<RunStatus, StatesWith<{ kind: "shown" }>>;
export type EndedRunState = StatesWith<{ kind: "ended" }>;
type StatesWith<Trait> = {
  [Name in RunStatus]: States[Name] extends Trait ? Name : never;
}[RunStatus];

export const runStatuses = Object.keys(runStates) as RunStatus[];
export const endedRunStates = runStatuses.filter(isEnded);

export function isEnded(status: RunStatus): status is EndedRunState {
  return runStates[status].kind === "ended";
}

/** Bulk operations on runs, and the statuses that they apply to. */
export type BulkKind = "retry" | "cancel";
type BulkStatuses = { readonly [Kind in BulkKind]: readonly StatesWith<{ bulk: Kind }>[] };
export const bulkStatuses: BulkStatuses = {
  retry: runStatuses.filter((status) => isFor("retry", status)),
  cancel: runStatuses.filter((status) => isFor("cancel", status)),
};

function isFor<Kind extends BulkKind>(
  kind: Kind,
  status: RunStatus,
): status is StatesWith<{ bulk: Kind }> {
  return runStates[status].bulk === kind;
}
