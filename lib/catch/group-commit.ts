/**
 * Group commit: what waits is stored together, in one statement and one fsync. There is no waiting window: a batch
 * leaves as soon as a slot is free and the event loop has read what had arrived, so that one request alone is as quick as
 * it can be and many share the cost. (A window of 5 ms cost two thirds of the throughput. Leaving at once, inside the
 * event loop's turn, made a third of all batches batches of one.)
 *
 * It knows nothing of where batches go: `store` may be Postgres or a buffer in front of it.
 */
export type GroupCommitOptions<Item, Result> = {
  /** Stores a batch, all of it or nothing, and answers with one result an item, in the items' order. */
  readonly store: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly bytesOf: (item: Item) => number;
  /** How many rows an item becomes: it goes whole into one batch, however many they are. Default: one. */
  readonly rowsOf?: (item: Item) => number;
  /** Items of one lane share a bound of their own, so that one flood leaves room for the others. */
  readonly laneOf: (item: Item) => string;
  /** Whether a batch that failed so may go through in smaller parts: one bad item must not cost the others. */
  readonly isItemFault: (error: unknown) => boolean;
  readonly limits: GroupCommitLimits;
  readonly now: () => number;
};

export type GroupCommitLimits = {
  readonly maxInFlight: number;
  /** How many have to wait before another batch leaves beside one that is in flight: small ones cost as much as large ones. */
  readonly minSecondBatchItems: number;
  /** In rows. */
  readonly maxBatchItems: number;
  readonly maxBatchBytes: number;
  /** What may wait in all, and what of it in one lane. */
  readonly maxWaitingItems: number;
  readonly maxWaitingBytes: number;
  readonly maxLaneItems: number;
};

export type Committed<Result> =
  | { readonly ok: true; readonly result: Result }
  | {
      readonly ok: false;
      readonly reason: "full" | "lane_full" | "timeout" | "failed";
      readonly error?: unknown;
    };

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly bytes: number;
  readonly lane: string;
  readonly giveUpAt: number;
  /** Called once; later results of an item that was given up go nowhere. */
  settle: ((committed: Committed<Result>) => void) | null;
};

export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  readonly #inFlight = new Set<readonly Waiting<Item, Result>[]>();
  readonly #laneItems = new Map<string, number>();
  #items = 0;
  #bytes = 0;
  #isScheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Settles when the item is stored, or when its sender has to send it again. It never rejects.
   *
   * @param maxWaitMs what waits longer is given up and told so
   */
  submit(item: Item, maxWaitMs: number): Promise<Committed<Result>> {
    const { limits, bytesOf, laneOf, now } = this.#options;
    const bytes = bytesOf(item);
    const lane = laneOf(item);
    if (this.#items >= limits.maxWaitingItems || this.#bytes + bytes > limits.maxWaitingBytes) {
      return Promise.resolve({ ok: false, reason: "full" });
    }
    const laneItems = this.#laneItems.get(lane) ?? 0;
    if (laneItems >= limits.maxLaneItems) return Promise.resolve({ ok: false, reason: "lane_full" });
    this.#laneItems.set(lane, laneItems + 1);
    this.#items += 1;
    this.#bytes += bytes;
    return new Promise((settle) => {
      this.#queue.push({ item, bytes, lane, giveUpAt: now() + maxWaitMs, settle });
      this.#schedule();
    });
  }

  /** Gives up what has waited too long, also inside a batch whose statement hangs. Call it a few times a second. */
  expire(): void {
    const nowMs = this.#options.now();
    for (const batch of this.#inFlight) {
      for (const waiting of batch)
        if (waiting.giveUpAt <= nowMs) answer(waiting, { ok: false, reason: "timeout" });
    }
    const expired = this.#queue.filter((waiting) => waiting.giveUpAt <= nowMs);
    if (expired.length === 0) return;
    this.#queue = this.#queue.filter((waiting) => waiting.giveUpAt > nowMs);
    for (const waiting of expired) {
      this.#forget(waiting);
      answer(waiting, { ok: false, reason: "timeout" });
    }
    this.#tellIdle();
  }

  /** Settles when nothing waits any more. */
  async drained(): Promise<void> {
    if (this.#items === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  get waitingItems(): number {
    return this.#items;
  }

  /** Once the requests that this turn of the event loop brings have all been read. */
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
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#items === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #store(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.store(batch.map(({ item }) => item));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        answer(waiting, result === undefined ? { ok: false, reason: "failed" } : { ok: true, result });
      }
    } catch (error) {
      if (batch.length > 1 && this.#options.isItemFault(error)) {
        const middle = Math.ceil(batch.length / 2);
        await this.#store(batch.slice(0, middle));
        await this.#store(batch.slice(middle));
        return;
      }
      for (const waiting of batch) answer(waiting, { ok: false, reason: "failed", error });
    }
  }

  #forget({ bytes, lane }: Waiting<Item, Result>): void {
    this.#items -= 1;
    this.#bytes -= bytes;
    const laneItems = (this.#laneItems.get(lane) ?? 1) - 1;
    if (laneItems === 0) this.#laneItems.delete(lane);
    else this.#laneItems.set(lane, laneItems);
  }
}

function answer<Item, Result>(waiting: Waiting<Item, Result>, committed: Committed<Result>): void {
  waiting.settle?.(committed);
  waiting.settle = null;
}
