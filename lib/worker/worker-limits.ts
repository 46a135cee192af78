export type WorkerLimits = {
  /** Runs in flight in this worker. Each is little more than a socket. */
  readonly maxRuns: number;
  /** Bodies in memory, in bytes. */
  readonly maxBytes: number;
  /** Concurrent runs per action over all workers, unless the action has its own cap. */
  readonly actionCap: number;
  /**
   * Concurrent runs per account over all workers, for actions that are not known to respond
   * quickly.
   */
  readonly accountCap: number;
  /** Extra concurrent runs for actions that respond quickly. */
  readonly quickReserve: number;
  readonly leaseMs: number;
  /** After this time, a claim without a response has ended. Longer than a statement may take. */
  readonly unansweredMs: number;
  readonly renewEveryMs: number;
  readonly pollMs: number;
  readonly rescueEveryMs: number;
};

export const defaultLimits: WorkerLimits = {
  maxRuns: 2_048,
  maxBytes: 64 * 1024 * 1024,
  actionCap: 200,
  accountCap: 400,
  quickReserve: 200,
  leaseMs: 30_000,
  unansweredMs: 15_000,
  renewEveryMs: 10_000,
  pollMs: 1_000,
  rescueEveryMs: 1_000,
};
