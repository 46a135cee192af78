import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import { releaseRuns } from "#lib/db/queue/release-runs.ts";

/** Runs that waited and go back to the queue, as if never leased, until they are there. */
export class ReturnedRuns {
  readonly #db: SqlDatabase;
  readonly #onFreed: () => void;
  #runs: readonly ClaimedActionRun[] = [];

  constructor(db: SqlDatabase, onFreed: () => void) {
    this.#db = db;
    this.#onFreed = onFreed;
  }

  list(): readonly ClaimedActionRun[] {
    return this.#runs;
  }

  /** If it fails now, the next `write` does it. */
  add(runs: readonly ClaimedActionRun[]): void {
    this.#runs = [...this.#runs, ...runs];
    this.write().catch((error) =>
      log.warn("hand_off.not_released", { runs: runs.length, error: toError(error) }),
    );
  }

  async write(): Promise<void> {
    const runs = this.#runs;
    if (runs.length === 0) return;
    await releaseRuns(this.#db, runs);
    const freed = new Set(runs);
    this.#runs = this.#runs.filter((run) => !freed.has(run));
    this.#onFreed();
  }
}
