import { withTimeLimit } from "#lib/with-time-limit.ts";
import type { CatchHook } from "./catch-hook.ts";

/**
 * Loads hooks in batches: while one statement runs, other requests wait for the next. Each load
 * starts after its request, so it sees everything committed before. Any number of wrong URLs and
 * forged signatures share one statement instead of taking connections from storing.
 */
export type HookLoaderOptions<Row> = {
  /** One row for each URL, in order. */
  readonly find: (
    urls: readonly { readonly accountSlug: string; readonly hookKey: string }[],
  ) => Promise<readonly (Row | null)[]>;
  readonly prepare: (row: Row) => CatchHook;
  /** Timeout of a statement, in milliseconds. */
  readonly timeoutMs: number;
  /** Minimum time between the starts of two statements, in milliseconds. */
  readonly spacingMs: number;
  readonly maxBatch: number;
  readonly maxWaiting: number;
};

type Waiting = {
  readonly accountSlug: string;
  readonly hookKey: string;
  readonly promise: Promise<CatchHook | null>;
  readonly resolve: (hook: CatchHook | null) => void;
  readonly reject: (error: unknown) => void;
};

export class HookLoader<Row> {
  readonly #options: HookLoaderOptions<Row>;
  readonly #waiting = new Map<string, Waiting>();
  #isRunning = false;

  constructor(options: HookLoaderOptions<Row>) {
    this.#options = options;
  }

  /** Null: not found. Throws if the database is unavailable. */
  load(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const key = `${accountSlug}/${hookKey}`;
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.promise;
    if (this.#waiting.size >= this.#options.maxWaiting)
      return Promise.reject(new Error("Too many hooks are being loaded at once."));
    const waiting = { accountSlug, hookKey, ...Promise.withResolvers<CatchHook | null>() };
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

  #takeBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    for (const [key, waiting] of this.#waiting) {
      if (batch.length >= this.#options.maxBatch) break;
      this.#waiting.delete(key);
      batch.push(waiting);
    }
    return batch;
  }

  async #loadBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await withTimeLimit(this.#options.find(batch), this.#options.timeoutMs, () => {
        throw new Error("The database did not answer in time.");
      });
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, rows[index] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** One invalid hook must not fail the others in its batch. */
  #settle({ resolve, reject }: Waiting, row: Row | null): void {
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
