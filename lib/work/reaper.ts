import { findLostWorkers, type ReapedRun, reapRuns } from "#lib/db/queue/reap-runs.ts";
import type { SqlDatabase } from "#lib/db/sql-database.ts";

/** Leases run out after half a minute; a few seconds more don't matter, and looking costs as much as a claim. */
const roundsBetweenSweeps = 5;

/**
 * Takes over from workers that died. Call `round` every second. A worker without its lock gets until the next round to register anew,
 * so that a database that was restarted does not make every call be made twice.
 */
export class Reaper {
  readonly #db: SqlDatabase;
  readonly #laneCap: number;
  #suspects: ReadonlySet<number> = new Set();
  #rounds = 0;

  constructor(db: SqlDatabase, laneCap: number) {
    this.#db = db;
    this.#laneCap = laneCap;
  }

  async round(): Promise<readonly ReapedRun[]> {
    const lost = await findLostWorkers(this.#db);
    const lostWorkerIds = lost.filter((id) => this.#suspects.has(id));
    this.#suspects = new Set(lost);
    this.#rounds += 1;
    if (lostWorkerIds.length === 0 && this.#rounds % roundsBetweenSweeps !== 0) return [];
    return reapRuns(this.#db, { lostWorkerIds, laneCap: this.#laneCap });
  }

  /** After a time without the database everybody's leases look old: their holders come first. */
  startOver(): void {
    this.#suspects = new Set();
    this.#rounds = 0;
  }
}
