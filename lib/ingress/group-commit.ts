import { KeyCounts } from "#lib/base/key-counts.ts";

/**
 * Group commit: stores all waiting items in one statement and one fsync. There is no waiting
 * window. A batch starts as soon as a slot is free and the event loop has read what had arrived, so a
 * single request is fast and many share the cost: see docs/decisions/catch/042.
 */
type GroupCommitOptions<Item, Result> = {
  /** Stores a batch atomically. Returns one result for each item, in order. */
  readonly store: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly bytesOf: (item: Item) => number;
  /** Number of rows of an item, which is never split across batches. Default: 1. */
  readonly rowsOf?: (item: Item) => number;
  /** Items with the same group key share a limit, so that one flood leaves room for others. */
  readonly groupKeyOf: (item: Item) => string;
  /**
   * True if a failed batch is tried again in smaller parts, so that one bad item doesn't fail the
   * others.
   */
  readonly isItemFault: (error: unknown) => boolean;
  readonly limits: GroupCommitLimits;
  readonly now: () => number;
};

export type GroupCommitLimits = {
  readonly maxInFlight: number;
  /**
   * Minimum items to start a second concurrent batch, since small batches cost as much as large
   * ones.
   */
  readonly minSecondBatchItems: number;
  /** The maximum size of a batch, in rows. */
  readonly maxBatchItems: number;
  readonly maxBatchBytes: number;
  /** Limits of waiting items, in total and for each group. */
  readonly maxWaitingItems: number;
  readonly maxWaitingBytes: number;
  readonly maxGroupItems: number;
};

/** The limits that don't depend on how large an item may be. */
export const commitItems = {
  maxInFlight: 2,
  minSecondBatchItems: 32,
  maxBatchItems: 500,
  maxWaitingItems: 8_000,
  maxGroupItems: 4_000,
} as const;

export type Committed<Result> =
  | { readonly ok: true; readonly result: Result }
  | {
      readonly ok: false;
      readonly reason: "full" | "group_full" | "timeout" | "failed";
      readonly error?: unknown;
    };

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly bytes: number;
  readonly groupKey: string;
  readonly giveUpAt: number;
  /** Resolves the item once. Late results of timed-out items are dropped. */
  resolve: ((committed: Committed<Result>) => void) | null;
};

export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  readonly #inFlight = new Set<readonly Waiting<Item, Result>[]>();
  readonly #groupItems = new KeyCounts();
  #items = 0;
  #bytes = 0;
  #isScheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Settles when the item is stored, or when it has to be sent again. Never rejects.
   *
   * @param maxWaitMs after this time, it settles with `timeout`
   */
  submit(item: Item, maxWaitMs: number): Promise<Committed<Result>> {
    const { limits, bytesOf, groupKeyOf, now } = this.#options;
    const bytes = bytesOf(item);
    const groupKey = groupKeyOf(item);
    if (this.#items >= limits.maxWaitingItems || this.#bytes + bytes > limits.maxWaitingBytes) {
      return Promise.resolve({ ok: false, reason: "full" });
    }
    if (!this.#groupItems.add(groupKey, limits.maxGroupItems))
      return Promise.resolve({ ok: false, reason: "group_full" });
    this.#items += 1;
    this.#bytes += bytes;
    return new Promise((resolve) => {
      this.#queue.push({ item, bytes, groupKey, giveUpAt: now() + maxWaitMs, resolve });
      this.#schedule();
    });
  }

  /**
   * Times out items that waited too long, even in a hanging batch. Call it several times a second.
   */
  expire(): void {
    const nowMs = this.#options.now();
    for (const batch of this.#inFlight) {
      for (const waiting of batch)
        if (waiting.giveUpAt <= nowMs) resolveWaiting(waiting, { ok: false, reason: "timeout" });
    }
    const expired = this.#queue.filter((waiting) => waiting.giveUpAt <= nowMs);
    if (expired.length === 0) return;
    this.#queue = this.#queue.filter((waiting) => waiting.giveUpAt > nowMs);
    for (const waiting of expired) {
      this.#forget(waiting);
      resolveWaiting(waiting, { ok: false, reason: "timeout" });
    }
    this.#notifyIdle();
  }

  /** Settles when nothing is waiting. */
  async drained(): Promise<void> {
    if (this.#items === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  get waitingItems(): number {
    return this.#items;
  }

  /** Runs after the event loop has read all requests of this turn. */
  #schedule(): void {
    if (this.#isScheduled || !this.#canDispatch()) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#canDispatch()) void this.#run(this.#takeBatch());
    });
  }

  #canDispatch(): boolean {
    const { maxInFlight, minSecondBatchItems } = this.#options.limits;
    if (this.#inFlight.size >= maxInFlight) return false;
    return this.#queue.length >= (this.#inFlight.size === 0 ? 1 : minSecondBatchItems);
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { rowsOf } = this.#options;
    const { maxBatchItems, maxBatchBytes } = this.#options.limits;
    let bytes = 0;
    let rows = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      bytes += waiting.bytes;
      rows += rowsOf === undefined ? 1 : rowsOf(waiting.item);
      if (count > 0 && (rows > maxBatchItems || bytes > maxBatchBytes)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#inFlight.add(batch);
    await this.#store(batch);
    this.#inFlight.delete(batch);
    for (const waiting of batch) this.#forget(waiting);
    this.#schedule();
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    if (this.#items === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #store(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.store(batch.map(({ item }) => item));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        resolveWaiting(
          waiting,
          result === undefined ? { ok: false, reason: "failed" } : { ok: true, result },
        );
      }
    } catch (error) {
      if (batch.length > 1 && this.#options.isItemFault(error)) {
        const middle = Math.ceil(batch.length / 2);
        for (const part of [batch.slice(0, middle), batch.slice(middle)]) {
          // A timed-out item is sent again, so it must not be stored here too.
          const waiting = part.filter(({ resolve }) => resolve !== null);
          if (waiting.length > 0) await this.#store(waiting);
        }
        return;
      }
      for (const waiting of batch) resolveWaiting(waiting, { ok: false, reason: "failed", error });
    }
  }

  #forget({ bytes, groupKey }: Waiting<Item, Result>): void {
    this.#items -= 1;
    this.#bytes -= bytes;
    this.#groupItems.remove(groupKey);
  }
}

function resolveWaiting<Item, Result>(
  waiting: Waiting<Item, Result>,
  committed: Committed<Result>,
): void {
  waiting.resolve?.(committed);
  waiting.resolve = null;
}
