import { withTimeLimit } from "#lib/base/with-time-limit.ts";

/**
 * Loads values in batches: while one statement runs, other requests wait for the next. Each load
 * starts after its request, so it sees everything committed before. Any number of wrong URLs,
 * forged signatures, and unknown tokens share one statement instead of taking connections from
 * storing.
 */
type BatchLoaderOptions<Item, Row, Value> = {
  /** Two items with the same key are the same. */
  readonly keyOf: (item: Item) => string;
  /** One row for each item, in order. */
  readonly find: (items: readonly Item[]) => Promise<readonly (Row | null)[]>;
  readonly prepare: (row: Row) => Value;
  /** Timeout of a statement, in milliseconds. */
  readonly timeoutMs: number;
  /** Minimum time between the starts of two statements, in milliseconds. */
  readonly spacingMs: number;
  readonly maxBatch: number;
  readonly maxWaiting: number;
};

type Waiting<Item, Value> = {
  readonly item: Item;
  readonly promise: Promise<Value | null>;
  readonly resolve: (value: Value | null) => void;
  readonly reject: (error: unknown) => void;
};

export class BatchLoader<Item, Row, Value> {
  readonly #options: BatchLoaderOptions<Item, Row, Value>;
  readonly #waiting = new Map<string, Waiting<Item, Value>>();
  #isRunning = false;

  constructor(options: BatchLoaderOptions<Item, Row, Value>) {
    this.#options = options;
  }

  /** Null: not found. Throws if the database is unavailable. */
  load(item: Item): Promise<Value | null> {
    const key = this.#options.keyOf(item);
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.promise;
    if (this.#waiting.size >= this.#options.maxWaiting)
      return Promise.reject(new Error("Too many loads at once."));
    const waiting = { item, ...Promise.withResolvers<Value | null>() };
    this.#waiting.set(key, waiting);
    if (!this.#isRunning) void this.#run();
    return waiting.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      const spacing = delay(this.#options.spacingMs);
      await this.#loadBatch(this.#takeBatch());
      if (this.#waiting.size > 0) await spacing;
    }
    this.#isRunning = false;
  }

  #takeBatch(): readonly Waiting<Item, Value>[] {
    const batch: Waiting<Item, Value>[] = [];
    for (const [key, waiting] of this.#waiting) {
      if (batch.length >= this.#options.maxBatch) break;
      this.#waiting.delete(key);
      batch.push(waiting);
    }
    return batch;
  }

  async #loadBatch(batch: readonly Waiting<Item, Value>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const rows = await withTimeLimit(this.#options.find(items), this.#options.timeoutMs, () => {
        throw new Error("The database did not answer in time.");
      });
      for (const [index, waiting] of batch.entries()) this.#resolve(waiting, rows[index] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** One invalid row must not fail the others in its batch. */
  #resolve({ resolve, reject }: Waiting<Item, Value>, row: Row | null): void {
    try {
      resolve(row === null ? null : this.#options.prepare(row));
    } catch (error) {
      reject(error);
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
