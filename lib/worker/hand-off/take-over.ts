import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isCanceled, isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import { releaseLeases } from "#lib/db/queue/release-runs.ts";
import type { Noted } from "./start-journal.ts";

/**
 * Frees the runs that the process before this one had and never started: they count no attempt. It looks again for
 * some seconds, because a statement of a catch process may commit late.
 */
export class TakeOver {
  readonly #db: SqlDatabase;
  readonly #before: Noted;
  #looks: number;

  /** @param looks how often it looks, if there was a process */
  constructor(db: SqlDatabase, before: Noted, looks: number) {
    this.#db = db;
    this.#before = before;
    this.#looks = before.leaseIds.length > 0 ? looks : 0;
  }

  get isOver(): boolean {
    return this.#looks === 0;
  }

  /**
   * @returns the number of runs that were freed
   * @throws if the database is away. The look doesn't count
   */
  async look(): Promise<number> {
    const { leaseIds, startedIds } = this.#before;
    if (this.isOver) return 0;
    try {
      const freed = await releaseLeases(this.#db, leaseIds, startedIds);
      this.#looks -= 1;
      if (freed > 0) log.info("hand_off.runs_taken_over", { runs: freed });
      return freed;
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isCanceled(error)) throw error;
      // A queue that can't be read in time must not keep lost runs from being rescued.
      this.#looks -= 1;
      log.error("hand_off.not_taken_over", { error: toError(error) });
      return 0;
    }
  }
}
