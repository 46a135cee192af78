import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { isDatabaseReachable } from "#lib/db/postgres/is-database-reachable.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import { WakeSignal } from "./wake-signal.ts";

type WriteOptions<Item> = {
  readonly db: SqlDatabase;
  /**
   * Writes a batch atomically, in one statement. Returns the ids of runs that had been taken over.
   */
  readonly write: (db: SqlDatabase, batch: readonly Item[]) => Promise<ReadonlySet<string>>;
  readonly onWritten: (batch: readonly Item[], late: ReadonlySet<string>) => void;
  readonly runIdOf: (item: Item) => string;
  readonly charsOf: (item: Item) => number;
  /** The number of items that wait or are still to come. Omitted: unknown. */
  readonly expected?: () => number;
};

const maxBatch = 500;
const maxBatchChars = 8 * 1024 * 1024;
/** The pause between two statements, so that the next one carries more. */
const gapMs = 5;
/**
 * The same in a flood: while many items are expected, most haven't arrived, and the last statement had
 * some. A statement costs as much as 40 of its rows. Otherwise an item may hold the place of the next,
 * such as that of an ordered action.
 */
const maxGapMs = 20;
const someItems = 10;
const manyItems = 100;
const firstPauseMs = 100;
const maxPauseMs = 2_000;
/**
 * How often a whole batch may fail while the database responds to other statements, before it is
 * split.
 */
const triesBeforeSplit = 2;

/**
 * Writes results in batches: those that arrive during a statement go into the next one. The result
 * of a call is never lost because the database is unavailable, full, or read-only; it waits here. A
 * single result that the database rejects because of its content is dropped, and its lease expires.
 */
export class WriteQueue<Item> {
  readonly #options: WriteOptions<Item>;
  readonly #wake = new WakeSignal();
  readonly #inFlight = new Set<Promise<void>>();
  #waiting: Item[] = [];
  #isClosed = false;

  constructor(options: WriteOptions<Item>) {
    this.#options = options;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#dispatch();
  }

  /** Drops unwritten results, at the end of a process. */
  close(): void {
    this.#isClosed = true;
    this.#wake.notify();
  }

  #dispatch(): void {
    // Another batch would only make both smaller.
    if (this.#inFlight.size > 0 || this.#waiting.length === 0 || this.#isClosed) return;
    const batch = this.#waiting.splice(0, this.#countFitting());
    const writing = this.#writeAndPause(batch).finally(() => {
      this.#inFlight.delete(writing);
      this.#dispatch();
    });
    this.#inFlight.add(writing);
  }

  async #writeAndPause(batch: readonly Item[]): Promise<void> {
    await this.#write(batch);
    for (let waitedMs = 0; waitedMs < maxGapMs; waitedMs += gapMs) {
      await delay(gapMs, undefined, { ref: false });
      if (this.#waiting.length >= this.#fewestAfter(batch.length)) return;
    }
  }

  /** @returns the number of items that are worth a statement after one of `written` */
  #fewestAfter(written: number): number {
    const expected = this.#options.expected?.() ?? 0;
    const isFlood = written >= someItems && expected >= manyItems;
    return isFlood ? Math.min(maxBatch, expected / 2) : 0;
  }

  async #write(batch: readonly Item[]): Promise<void> {
    const { db, write, onWritten } = this.#options;
    for (let failures = 0, rejections = 0; !this.#isClosed; failures += 1) {
      try {
        onWritten(batch, await write(db, batch));
        return;
      } catch (error) {
        if (failures % 10 === 0)
          log.error("runs.finish_failed", { runs: batch.length, error: toError(error) });
        const isRejected = !isDatabaseUnavailable(error) && (await isDatabaseReachable(db));
        rejections = isRejected ? rejections + 1 : 0;
        if (rejections >= triesBeforeSplit) return this.#writeInHalves(batch);
        await this.#wake.wait(Math.min(firstPauseMs * 2 ** failures, maxPauseMs));
      }
    }
  }

  async #writeInHalves(batch: readonly Item[]): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      const runId = this.#options.runIdOf(only);
      log.error("run.result_rejected", { runId });
      this.#options.onWritten(batch, new Set([runId]));
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.#write(batch.slice(0, middle));
    await this.#write(batch.slice(middle));
  }

  #countFitting(): number {
    const { charsOf } = this.#options;
    let chars = 0;
    const end = this.#waiting.findIndex((item, index) => {
      chars += charsOf(item);
      return index > 0 && (index >= maxBatch || chars > maxBatchChars);
    });
    return end === -1 ? this.#waiting.length : end;
  }
}
