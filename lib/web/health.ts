import { checkStorage, type StorageCheck } from "#lib/db/check-storage.ts";
import type { Database } from "#lib/db/client.ts";
import type { DatabaseDisk } from "#lib/db/database-disk.ts";

/** Shorter than a load balancer's patience, and than the driver's own limits. */
const limitMs = 2_500;
/** However often strangers ask, the database is asked once in this time. */
const freshMs = 1_000;

/** Whether deliveries can be stored, within 2.5 s also when the database hangs. One check is under way at a time. */
export class Health {
  readonly #db: Database;
  readonly #disk: Pick<DatabaseDisk, "isLow"> | null;
  #last: { readonly check: StorageCheck; readonly atMs: number } | undefined;
  #underway: Promise<StorageCheck> | undefined;

  /** `disk`: of the embedded database; null with a database of one's own, whose disk we can't see. */
  constructor(db: Database, disk: Pick<DatabaseDisk, "isLow"> | null = null) {
    this.#db = db;
    this.#disk = disk;
  }

  async check(): Promise<StorageCheck> {
    if (this.#disk?.isLow() === true) return { ok: false, failing: "disk: it is nearly full" };
    if (this.#last !== undefined && Date.now() - this.#last.atMs < freshMs) return this.#last.check;
    this.#underway ??= this.#checkNow();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<StorageCheck>((resolve) => {
      timer = setTimeout(() => resolve({ ok: false, failing: "database: it doesn't answer" }), limitMs);
    });
    try {
      return await Promise.race([this.#underway, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #checkNow(): Promise<StorageCheck> {
    try {
      const check = await checkStorage(this.#db);
      this.#last = { check, atMs: Date.now() };
      return check;
    } finally {
      this.#underway = undefined;
    }
  }
}
