import type { QueueFacts, RunFacts, WhyFacts } from "../why-facts.ts";

export const at = (time: string) => new Date(`2026-11-23T${time}Z`);
export const now = at("11:00:00");
const receivedAt = at("10:00:00");

export const queue: QueueFacts = {
  dueAt: at("10:59:00"),
  ahead: 0,
  inFlight: 0,
  rateNextAt: null,
  wait: null,
  hasWorker: true,
};
export const run: RunFacts = {
  status: "succeeded",
  reason: null,
  attemptCount: 1,
  createdAt: receivedAt,
  finishedAt: at("10:00:02"),
  isReplay: false,
  queue: null,
};
export const facts: WhyFacts = {
  now,
  delivery: { status: "accepted", reason: null, detail: null, receivedAt },
  hookStatus: "active",
  action: {
    enabled: true,
    createdAt: at("09:00:00"),
    deletedAt: null,
    hasSteps: false,
    maxConcurrency: null,
    rateLimit: null,
  },
  run: null,
};

/** The differences between a case and an accepted delivery with an action without a run. */
export type Change = {
  readonly delivery?: Partial<WhyFacts["delivery"]>;
  readonly hookStatus?: WhyFacts["hookStatus"];
  readonly action?: Partial<WhyFacts["action"]>;
  readonly run?: Partial<RunFacts>;
  readonly queue?: Partial<QueueFacts>;
};

export function change({
  delivery,
  hookStatus = "active",
  action,
  run: ofRun,
  queue: ofQueue,
}: Change) {
  const open = { status: "queued", attemptCount: 0, finishedAt: null } as const;
  const changed: RunFacts | null =
    ofRun === undefined && ofQueue === undefined
      ? null
      : {
          ...run,
          ...(ofQueue === undefined ? {} : { ...open, queue: { ...queue, ...ofQueue } }),
          ...ofRun,
        };
  return {
    ...facts,
    hookStatus,
    delivery: { ...facts.delivery, ...delivery },
    action: { ...facts.action, ...action },
    run: changed,
  };
}
