import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import {
  findLostWorkers,
  type LostWorker,
  type RescuedRun,
  type RescueOptions,
  rescueRuns,
} from "#lib/db/queue/rescue-runs.ts";
import { hasEnded } from "./worker-name.ts";

/**
 * Leases expire after half a minute. A few seconds more don't matter, and a sweep costs as much as
 * a claim.
 */
const roundsBetweenSweeps = 5;

/**
 * After an outage all leases look old and no lock is held, and workers need up to 3 s to reconnect:
 * half a second between two tries (`listen`), two seconds for one that hangs.
 */
const roundsOfGrace = 5;

/**
 * Takes over from workers that died. Call `round` every second. A worker without its lock whose
 * process may be alive has until the next round to register again, or five rounds after an outage,
 * so that a database restart never causes a call to be made twice.
 */
export class Rescuer {
  readonly #db: SqlDatabase;
  readonly #actionCap: number;
  #missingLastRound: ReadonlySet<number> = new Set();
  #rounds = 0;
  #graceUntilRound = 0;

  constructor(db: SqlDatabase, actionCap: number) {
    this.#db = db;
    this.#actionCap = actionCap;
  }

  /** @param own the leases and runs of this process, which must not take its own runs */
  async round(
    own: Pick<RescueOptions, "ownLeaseIds" | "ownRunIds">,
  ): Promise<readonly RescuedRun[]> {
    const lost = await findLostWorkers(this.#db);
    const isDead = ({ id, name }: LostWorker) => this.#missingLastRound.has(id) || hasEnded(name);
    const lostWorkerIds = lost.filter(isDead).map(({ id }) => id);
    this.#missingLastRound = new Set(lost.map(({ id }) => id));
    this.#rounds += 1;
    if (this.#rounds <= this.#graceUntilRound) return [];
    if (lostWorkerIds.length === 0 && this.#rounds % roundsBetweenSweeps !== 0) return [];
    const options = { lostWorkerIds, actionCap: this.#actionCap, ...own };
    const rescued = await rescueRuns(this.#db, options);
    for (const { id: runId, accountId, isQuarantined: quarantined } of rescued)
      log.warn("run.rescued", { runId, accountId, quarantined });
    return rescued;
  }

  /** Call after a round in which the database was unavailable. */
  startOver(): void {
    this.#missingLastRound = new Set();
    this.#rounds = 0;
    this.#graceUntilRound = roundsOfGrace;
  }
}
