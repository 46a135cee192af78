export type RetryCondition = "connection" | "timeout" | "5xx" | "unsuccessful" | number;

export type RetryPolicy = {
  /** The number of attempts, including the first. */
  readonly maxAttempts: number;
  /** Wait after the first attempt; later waits grow from it. */
  readonly initialDelayMs: number;
  /** The maximum delay. Jitter of 20% and a receiver's Retry-After may exceed it. */
  readonly maxDelayMs: number;
  /**
   * The conditions for a retry of an action. `connection` is every failure to connect or to get a
   * complete, valid response. `unsuccessful` is every response that the action's success rule calls
   * a failure. A number is one status. Subscriptions ignore the list.
   */
  readonly on: readonly RetryCondition[];
  /**
   * No attempt starts later than this after the run was created or last retried manually. Null:
   * only `maxAttempts` ends it.
   */
  readonly giveUpAfterSeconds?: number | null;
};

/**
 * Delays of 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h, 10 h: a receiver may be down for more
 * than a day.
 */
export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 10,
  initialDelayMs: 5_000,
  maxDelayMs: 36_000_000,
  on: ["connection", "timeout", 408, 425, 429, "5xx"],
  giveUpAfterSeconds: null,
};
