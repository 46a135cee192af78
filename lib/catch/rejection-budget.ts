import type { RejectedCount } from "#lib/db/rejected-counts.ts";

export type RejectionLimits = {
  readonly perMinute: number;
  /** Once that much was recorded in a minute, nothing more is: a body of a stranger may be as large as any. */
  readonly bytesPerMinute: number;
};

/**
 * Rejected requests are recorded, so that a page can say why nothing happened, but only so many a hook and minute:
 * a stranger must not be able to fill the disk. What is beyond is counted.
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

  /** True: record it. False: it has been counted. */
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
    this.#count({ hookId: hook.id, accountId: hook.accountId, reason, minuteMs, count: 1 });
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
    for (const entry of counts) this.#count(entry);
  }

  #count(entry: RejectedCount): void {
    const key = `${entry.hookId} ${entry.minuteMs} ${entry.reason}`;
    const count = (this.#counts.get(key)?.count ?? 0) + entry.count;
    this.#counts.set(key, { ...entry, count });
  }
}
