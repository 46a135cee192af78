import type { CatchHook } from "./catch-hook.ts";

/**
 * Looks hooks up, many at a time: while one statement is under way, what else is asked for waits for the next. So a
 * load always starts after it was asked for (what was committed before is seen), and however many wrong URLs and forged
 * signatures arrive, they share one statement at a time instead of taking the connections of those that store.
 */
export type HookLoaderOptions<Row> = {
  /** One row a URL, in their order. */
  readonly find: (
    urls: readonly { readonly accountSlug: string; readonly hookKey: string }[],
  ) => Promise<readonly (Row | null)[]>;
  readonly prepare: (row: Row) => CatchHook;
  /** A statement that has not answered after so long counts as failed, in milliseconds. */
  readonly timeoutMs: number;
  /** From the start of one statement to that of the next, in milliseconds. */
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

  /** The hook as it is at some moment after this call; null: there is none. Throws when the database is away. */
  load(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const key = `${accountSlug}/${hookKey}`;
    const known = this.#waiting.get(key);
    if (known !== undefined) return known.promise;
    if (this.#waiting.size >= this.#options.maxWaiting)
      return Promise.reject(new Error("Too many hooks are being looked up at once."));
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
      const rows = await withTimeout(this.#options.find(batch), this.#options.timeoutMs);
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, rows[index] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** One hook that can't be read must not cost the others that were looked up with it. */
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

async function withTimeout<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The database did not answer in time.")), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
