import type { RunReason, RunWait } from "#lib/schema/act/run.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";

/** The stored facts about one delivery and one action of its hook. */
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
  /** The newest run. Null: the delivery never queued the action. */
  readonly run: RunFacts | null;
};

export type RunFacts = {
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** True if it was started manually after the delivery had arrived. */
  readonly isReplay: boolean;
  /** Null: the run has ended. */
  readonly queue: QueueFacts | null;
};

export type QueueFacts = {
  readonly dueAt: Date;
  /** The number of runs of the same action that come first, at most `maxAhead`. */
  readonly ahead: number;
  /** The number of runs of the same action in flight, over all workers. */
  readonly inFlight: number;
  /**
   * The time when the action's rate limit lets the next run start. Null: no limit, or no run has
   * started.
   */
  readonly rateNextAt: Date | null;
  /** The reason to wait: the receiver is down, or an older run has the same key. */
  readonly wait: RunWait | null;
  readonly hasWorker: boolean;
};

/** The reason why an action did or didn't run on a delivery. */
export type Why = {
  /** A code for programs. */
  readonly code: string;
  /** A sentence for people. Times are in UTC. */
  readonly sentence: string;
};

/** The counting of a queue stops here. */
export const maxAhead = 1_000;
