type RateLimiterOptions = {
  /** 0: no limit. */
  readonly ratePerSecond: number;
  /** Default: twice the rate, at least 1. */
  readonly burst?: number;
  /**
   * The number of processes that share the requests. Each one allows its share of a rate. Default:
   * 1.
   */
  readonly processes?: number;
  readonly now: () => number;
};

/**
 * An in-memory token bucket for each key. A share of a rate still has the whole burst, because few
 * connections spread unevenly.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /**
   * Takes one token.
   *
   * @param ratePerSecond the key's own rate, if any
   * @returns 0 if allowed, or the seconds to wait
   */
  take(key: string, ratePerSecond: number = this.#options.ratePerSecond): number {
    if (ratePerSecond === 0) return 0;
    const { now, processes = 1, burst = Math.max(1, 2 * ratePerSecond) } = this.#options;
    const share = ratePerSecond / processes;
    const nowMs = now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const refill = (Math.max(0, nowMs - bucket.atMs) / 1000) * share;
    const tokens = Math.min(burst, bucket.tokens + refill);
    // Too many keys: start over to bound memory.
    if (this.#buckets.size > 100_000) this.#buckets = new Map();
    const isAllowed = tokens >= 1;
    // Rejected requests cost no token. Otherwise, a client that never stops would never be allowed
    // again.
    this.#buckets.set(key, { tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs });
    return isAllowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / share));
  }
}
