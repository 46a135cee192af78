import type { RejectedCount } from "#lib/db/deliveries/rejected-counts.ts";

export type RejectionLimits = {
  readonly perMinute: number;
  /** Maximum bytes recorded per minute, since untrusted bodies can be large. */
  readonly bytesPerMinute: number;
};

/**
 * Limits how many rejected requests a hook records per minute, so that an attacker can't fill the
 * disk. The rest are only counted.
 */
export class RejectionBudget {
  readonly #limits: RejectionLimits;
  readonly #now: () => number;
  #minuteMs = 0;
  readonly #recorded = new Map<string, { items: number; bytes: number }>();
  #counts = new Map<string, RejectedCount>();

  constructor(limits: RejectionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** True: record it. False: it was only counted. */
  take(
    hook: { readonly id: string; readonly accountId: string },
    { reason, bytes }: { readonly reason: string; readonly bytes: number },
  ): boolean {
    const minuteMs = Math.floor(this.#now() / 60_000) * 60_000;
    if (minuteMs !== this.#minuteMs) {
      this.#minuteMs = minuteMs;
      this.#recorded.clear();
    }
    const recorded = this.#recorded.get(hook.id) ?? { items: 0, bytes: 0 };
    if (recorded.items < this.#limits.perMinute && recorded.bytes < this.#limits.bytesPerMinute) {
      this.#recorded.set(hook.id, { items: recorded.items + 1, bytes: recorded.bytes + bytes });
      return true;
    }
    this.count(hook, reason);
    return false;
  }

  /** Counts a rejection that is never recorded. */
  count(hook: { readonly id: string; readonly accountId: string }, reason: string): void {
    const minuteMs = Math.floor(this.#now() / 60_000) * 60_000;
    this.#count({ hookId: hook.id, accountId: hook.accountId, reason, minuteMs, count: 1 });
  }

  /** Returns the counts since the last call. */
  drainCounts(): readonly RejectedCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }

  /** Adds back counts that could not be written. */
  restoreCounts(counts: readonly RejectedCount[]): void {
    for (const entry of counts) this.#count(entry);
  }

  #count(entry: RejectedCount): void {
    const key = `${entry.hookId} ${entry.minuteMs} ${entry.reason}`;
    const count = (this.#counts.get(key)?.count ?? 0) + entry.count;
    this.#counts.set(key, { ...entry, count });
  }
}
