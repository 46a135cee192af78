import type { RejectedCount } from "#lib/db/deliveries/rejected-counts.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";

type RejectionLimits = {
  readonly perMinute: number;
  /** The maximum size of a stored body. */
  readonly maxBodyBytes: number;
  /** The daily limit (UTC) of requests stored with their bodies, and again of those without. */
  readonly bytesPerDay: number;
};

type Hook = { readonly id: string; readonly accountId: string };
type Used = { minuteMs: number; items: number; bytes: number };

/**
 * Limits how much a hook stores of rejected requests, so that requests without its secret can't
 * fill the disk. A day's first requests are stored with their bodies, up to a size; the next ones
 * without; and the rest are only counted.
 */
export class RejectionBudget {
  readonly #limits: RejectionLimits;
  readonly #now: () => number;
  #dayMs = 0;
  readonly #used = new Map<string, Used>();
  #counts = new Map<string, RejectedCount>();

  constructor(limits: RejectionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** The part of a rejected request that is stored. Null: none, it is only counted. */
  take(hook: Hook, delivery: NewDelivery, reason: string): NewDelivery | null {
    const used = this.#usedBy(hook);
    const { perMinute, maxBodyBytes, bytesPerDay } = this.#limits;
    const kept = used.bytes < bytesPerDay ? cutBody(delivery, maxBodyBytes) : cutBody(delivery, 0);
    if (used.items >= perMinute || used.bytes >= 2 * bytesPerDay) {
      this.count(hook, reason);
      return null;
    }
    used.items += 1;
    used.bytes += storedBytes(kept);
    return kept;
  }

  #usedBy({ id }: Hook): Used {
    const nowMs = this.#now();
    const dayMs = nowMs - (nowMs % msPerDay);
    if (dayMs !== this.#dayMs) {
      this.#dayMs = dayMs;
      this.#used.clear();
    }
    const minuteMs = nowMs - (nowMs % msPerMinute);
    const used = this.#used.get(id) ?? { minuteMs, items: 0, bytes: 0 };
    if (used.minuteMs !== minuteMs) Object.assign(used, { minuteMs, items: 0 });
    this.#used.set(id, used);
    return used;
  }

  /** Counts a rejection that is never recorded. */
  count(hook: Hook, reason: string): void {
    const nowMs = this.#now();
    const minuteMs = nowMs - (nowMs % msPerMinute);
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

const msPerMinute = 60_000;
const msPerDay = 86_400_000;
/** The approximate size of a row besides its texts, with its indexes. */
const rowBytes = 500;

function storedBytes({ body, headersJson, path, query, detail }: NewDelivery): number {
  const texts = headersJson.length + path.length + query.length + (detail?.length ?? 0);
  return rowBytes + texts + body.byteLength;
}

function cutBody(delivery: NewDelivery, maxBytes: number): NewDelivery {
  const { body } = delivery;
  if (body.byteLength <= maxBytes) return delivery;
  return { ...delivery, body: body.subarray(0, maxBytes), sentBodyBytes: body.byteLength };
}
