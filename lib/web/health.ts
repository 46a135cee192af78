import { checkStorage, type StorageCheck } from "#lib/db/check-storage.ts";
import type { Database } from "#lib/db/client.ts";

/** Shorter than a load balancer's patience, and than the driver's own limits. */
const limitMs = 2_500;
/** However often strangers ask, the database is asked once in this time. */
const freshMs = 1_000;

/** Whether deliveries can be stored, within 2.5 s also when the database hangs. One check is under way at a time. */
export class Health {
  readonly #db: Database;
  #last: { readonly check: StorageCheck; readonly atMs: number } | undefined;
  #underway: Promise<StorageCheck> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  async check(): Promise<StorageCheck> {
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
