import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { freeUnreceived } from "#lib/db/queue/free-unreceived.ts";
import type { Lease } from "#lib/db/queue/renew-leases.ts";

/**
 * How often the runs of a lease are looked for, once a second: a statement of its catch process may
 * commit 4 s after the connection has ended.
 */
export const looksForLease = 6;

type ClosedLeasesOptions = {
  readonly db: SqlDatabase;
  /** The runs that this worker has. */
  readonly listHeld: () => readonly Lease[];
  /** Called after runs became due. */
  readonly onFreed: () => void;
};

/** The leases of connections that have ended. What was stored with them and never arrived is freed. */
export class ClosedLeases {
  readonly #options: ClosedLeasesOptions;
  /** How often the runs of each are still looked for. */
  readonly #looks = new Map<string, number>();

  constructor(options: ClosedLeasesOptions) {
    this.#options = options;
  }

  get ids(): readonly string[] {
    return [...this.#looks.keys()];
  }

  add(leaseId: string): void {
    this.#looks.set(leaseId, looksForLease);
    void this.#free([leaseId]).catch(() => {});
  }

  async look(): Promise<void> {
    const leaseIds = this.ids;
    if (leaseIds.length === 0) return;
    await this.#free(leaseIds);
    for (const leaseId of leaseIds) {
      const left = (this.#looks.get(leaseId) ?? 0) - 1;
      if (left > 0) this.#looks.set(leaseId, left);
      else this.#looks.delete(leaseId);
    }
  }

  async #free(leaseIds: readonly string[]): Promise<void> {
    const { db, listHeld, onFreed } = this.#options;
    const held = listHeld().filter(({ leaseId }) => leaseIds.includes(leaseId));
    const freed = await freeUnreceived(db, { leaseIds, heldIds: held.map(({ id }) => id) });
    if (freed === 0) return;
    log.warn("hand_off.runs_freed", { runs: freed });
    onFreed();
  }
}
