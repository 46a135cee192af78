import type { RejectedCount } from "#lib/db/rejected-counts.ts";

/**
 * Rejected requests are recorded, so that a page can say why nothing happened, but only so many a hook and minute:
 * a stranger must not be able to fill the disk. What is beyond is counted.
 */
export class RejectionBudget {
  readonly #perMinute: number;
  readonly #now: () => number;
  #minuteMs = 0;
  readonly #recorded = new Map<string, number>();
  #counts = new Map<string, RejectedCount>();

  constructor(options: { readonly perMinute: number; readonly now: () => number }) {
    this.#perMinute = options.perMinute;
    this.#now = options.now;
  }

  /** True: record it. False: it has been counted. */
  take(hook: { readonly id: string; readonly accountId: string }, reason: string): boolean {
    const minuteMs = Math.floor(this.#now() / 60_000) * 60_000;
    if (minuteMs !== this.#minuteMs) {
      this.#minuteMs = minuteMs;
      this.#recorded.clear();
    }
    const recorded = this.#recorded.get(hook.id) ?? 0;
    if (recorded < this.#perMinute) {
      this.#recorded.set(hook.id, recorded + 1);
      return true;
    }
    const key = `${hook.id} ${minuteMs} ${reason}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { hookId: hook.id, accountId: hook.accountId, reason, minuteMs, count });
    return false;
  }

  /** The counts since the last call, to be written. */
  drainCounts(): readonly RejectedCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }

  /** Puts back what could not be written. */
  restoreCounts(counts: readonly RejectedCount[]): void {
    for (const entry of counts) {
      const key = `${entry.hookId} ${entry.minuteMs} ${entry.reason}`;
      const count = (this.#counts.get(key)?.count ?? 0) + entry.count;
      this.#counts.set(key, { ...entry, count });
    }
  }
}
