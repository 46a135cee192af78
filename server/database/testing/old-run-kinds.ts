import type { OldRun } from "./old-rows.ts";

/** The runs of an installation before the upgrade, by name. Each has its own delivery unless it is a replay. */
export const kinds = {
  queued: { state: "queued", attempts: 0 },
  leased: { state: "queued", attempts: 0 },
  crashed: { state: "retrying", attempts: 2, reasonCode: "worker_died", reasonDetail: "It died." },
  retrying: {
    state: "retrying",
    attempts: 1,
    reasonCode: "http_500",
    reasonDetail: "The receiver answered with 500.",
    dueInMs: 3_600_000,
  },
  retryingOld: {
    state: "retrying",
    attempts: 2,
    reason: "timeout: No answer within 5 s: gave up.",
    dueInMs: 3_600_000,
    attemptsBefore: 1,
  },
  held: { state: "queued", attempts: 0, isOfPausedHook: true },
  toSubscription: { state: "queued", attempts: 0 },
  succeeded: { state: "succeeded", attempts: 1 },
  failed: { state: "failed", attempts: 3, reasonCode: "http_400", reasonDetail: "No." },
  failedOld: { state: "failed", attempts: 2, reason: "timeout: No answer within 5 s: gave up." },
  skipped: { state: "skipped", attempts: 0, reasonCode: "filter", reasonDetail: "No match." },
  cancelledOld: {
    state: "cancelled",
    attempts: 1,
    reason: "cancelled: It was cancelled manually.",
  },
  sentToSubscription: { state: "succeeded", attempts: 1 },
  ahead: { state: "succeeded", attempts: 1 },
  aheadOpen: { state: "queued", attempts: 0, dueInMs: 3_600_000 },
  ofLastWeek: { state: "succeeded", attempts: 1 },
  replay: { state: "succeeded", attempts: 1 },
} as const satisfies Record<string, Omit<OldRun, "id" | "deliveryId">>;
export type Kind = keyof typeof kinds;
