import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { dueWhenFreed } from "./control/claim-order.ts";

/**
 * Releases the runs of claims whose response never arrived, so none of them was started: they are due
 * at once, as if never claimed. Reads the whole queue, because leases have no index, and a claim that
 * gets no response is rare.
 *
 * @returns the number of released runs
 */
export async function releaseClaims(db: SqlDatabase, leaseIds: readonly string[]): Promise<number> {
  return await db.$executeRaw`
    update queue r set lease_id = null, leased_until = null, worker_id = null, due_at = ${dueWhenFreed}
    where lease_id = any (${[...leaseIds]}::uuid[])`;
}
