import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import {
  type NewDelivery,
  type StoredDelivery,
  storeBatch,
} from "#lib/db/deliveries/store-deliveries.ts";
import { isTooManySends, maxStatementSends } from "#lib/db/events/enqueue-sends.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDataError } from "#lib/db/postgres/sql-state.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { releaseRuns } from "#lib/db/queue/release-runs.ts";
import type { Lease } from "#lib/db/queue/renew-leases.ts";
import type { BatchLease, HandOff } from "#lib/hand-off/hand-off.ts";

/**
 * Stores a batch. After the commit, the runs that were stored for a worker of this machine go to it,
 * and the workers are woken for the others (docs/decisions/runs/093).
 */
export async function storeAndHandOver(
  db: SqlDatabase,
  deliveries: readonly NewDelivery[],
  handOff: HandOff | undefined,
): Promise<readonly StoredDelivery[]> {
  const lease = handOff?.lease(deliveries) ?? null;
  try {
    const maxSends = deliveries.length > 1 ? maxStatementSends : null;
    const { stored, leased, hasDue } = await storeBatch(db, deliveries, { maxSends, lease });
    if (lease !== null && handOff?.handOver(lease, leased) === false)
      void free(
        db,
        leased.map(({ id }) => ({ id, leaseId: lease.leaseId })),
        lease,
      );
    if (hasDue) notifyRunsDue(db);
    return stored;
  } catch (error) {
    if (lease !== null) handOff?.abandon(lease, isItemFault(error));
    throw error;
  }
}

/** True if the statement failed because of what is in a delivery. Nothing was stored. */
export function isItemFault(error: unknown): boolean {
  return isDataError(error) || isTooManySends(error);
}

async function free(
  db: SqlDatabase,
  leases: readonly Lease[],
  { link }: BatchLease,
): Promise<void> {
  try {
    await releaseRuns(db, leases);
    notifyRunsDue(db);
  } catch (error) {
    // The worker looks for the runs of a connection that has ended.
    log.warn("hand_off.not_freed", { runs: leases.length, error: toError(error) });
    link.drop();
  }
}
