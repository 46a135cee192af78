/** A token bucket a key, in memory: `ratePerSecond` on average, `burst` at once. A rate of 0 lets everything through. */
export class RateLimiter {
  readonly #options: { readonly ratePerSecond: number; readonly burst: number; readonly now: () => number };
  #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(options: {
    readonly ratePerSecond: number;
    readonly burst: number;
    readonly now: () => number;
  }) {
    this.#options = options;
  }

  /** Takes one token. @returns 0, or after how many seconds to try again */
  take(key: string): number {
    const { ratePerSecond, burst, now } = this.#options;
    if (ratePerSecond === 0) return 0;
    const nowMs = now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const refill = (Math.max(0, nowMs - bucket.atMs) / 1000) * ratePerSecond;
    const tokens = Math.min(burst, bucket.tokens + refill);
    // A crowd of keys starts anew rather than growing without end.
    if (this.#buckets.size > 100_000) this.#buckets = new Map();
    const isLetThrough = tokens >= 1;
    // Who is refused pays nothing: otherwise one who never stops would never be let through again.
    this.#buckets.set(key, { tokens: isLetThrough ? tokens - 1 : tokens, atMs: nowMs });
    return isLetThrough ? 0 : Math.max(1, Math.ceil((1 - tokens) / ratePerSecond));
  }
}
