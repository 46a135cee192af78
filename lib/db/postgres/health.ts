import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { checkStorage, type StorageCheck } from "./check-storage.ts";
import type { DatabaseDisk } from "./database-disk.ts";
import type { SqlStatements } from "./sql-database.ts";

/**
 * The time limit of a check. It is shorter than a load balancer's timeout and the driver's own
 * limits.
 */
const limitMs = 2_500;
/** The database is checked at most once in this time, regardless of the number of requests. */
const freshMs = 1_000;

/**
 * Checks if deliveries can be stored, within 2.5 s even if the database hangs. Runs one check at a
 * time.
 */
export class Health {
  readonly #db: SqlStatements;
  readonly #disk: Pick<DatabaseDisk, "isLow"> | null;
  readonly #spool: { readonly hasRoom: boolean } | undefined;
  readonly #findClockFault: () => string | null;
  #last: { readonly check: StorageCheck; readonly atMs: number } | undefined;
  #inFlight: Promise<StorageCheck> | undefined;

  /**
   * @param disk the disk of the embedded database; null for an external database, whose disk we
   *   can't see
   * @param spool takes deliveries while the database is away
   * @param findClockFault why the clock can't be trusted
   */
  constructor(
    db: SqlStatements,
    disk: Pick<DatabaseDisk, "isLow"> | null = null,
    spool?: { readonly hasRoom: boolean },
    findClockFault: () => string | null = () => null,
  ) {
    this.#db = db;
    this.#disk = disk;
    this.#spool = spool;
    this.#findClockFault = findClockFault;
  }

  async check(): Promise<StorageCheck> {
    if (this.#disk?.isLow() === true) return { ok: false, failing: "disk: it is nearly full" };
    if (this.#findClockFault() !== null)
      return { ok: false, failing: "clock: it is off by over an hour" };
    const check = await this.#checkDatabase();
    return check.ok || this.#spool?.hasRoom !== true ? check : { ok: true };
  }

  async #checkDatabase(): Promise<StorageCheck> {
    if (this.#last !== undefined && performance.now() - this.#last.atMs < freshMs)
      return this.#last.check;
    this.#inFlight ??= this.#checkNow();
    return await withTimeLimit(this.#inFlight, limitMs, () => ({
      ok: false,
      failing: "database: it doesn't answer",
    }));
  }

  async #checkNow(): Promise<StorageCheck> {
    try {
      const check = await checkStorage(this.#db);
      this.#last = { check, atMs: performance.now() };
      return check;
    } finally {
      this.#inFlight = undefined;
    }
  }
}
