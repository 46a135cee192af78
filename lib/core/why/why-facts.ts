import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import type { RunReason, RunWait } from "#lib/schema/run.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";

/** What is stored about one delivery and one action of its hook. */
export type WhyFacts = {
  readonly now: Date;
  readonly delivery: {
    readonly status: DeliveryStatus;
    readonly reason: string | null;
    readonly detail: string | null;
    readonly receivedAt: Date;
  };
  readonly hookStatus: HookStatus;
  readonly action: {
    readonly enabled: boolean;
    readonly createdAt: Date;
    readonly deletedAt: Date | null;
    readonly hasSteps: boolean;
    readonly maxConcurrency: number | null;
    readonly rateLimit: { readonly count: number; readonly perSeconds: number } | null;
  };
  /** The newest one. Null: the delivery never queued the action. */
  readonly run: RunFacts | null;
};

export type RunFacts = {
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Started by hand after the delivery had arrived. */
  readonly isReplay: boolean;
  /** Null: it has ended. */
  readonly queue: QueueFacts | null;
};

export type QueueFacts = {
  readonly dueAt: Date;
  /** Runs of the same action that come first, at most `maxAhead`. */
  readonly ahead: number;
  /** Runs of the same action in flight, of all workers. */
  readonly inFlight: number;
  /** When the action's rate limit lets the next run start. Null: it has none, or none has started. */
  readonly rateNextAt: Date | null;
  /** Its receiver is down, or an older run has the same key. */
  readonly wait: RunWait | null;
  readonly hasWorker: boolean;
};

/** Why an action did or didn't run on a delivery. */
export type Why = {
  /** For programs. */
  readonly code: string;
  /** For people. Times are in UTC. */
  readonly sentence: string;
};

/** Beyond it, a queue isn't counted. */
export const maxAhead = 1_000;
