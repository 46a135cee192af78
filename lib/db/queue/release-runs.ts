import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { Prisma } from "../generated/client.ts";
import { dueWhenFreed } from "./control/claim-order.ts";
import { placesOf } from "./places-of.ts";
import type { Lease } from "./renew-leases.ts";

/** Releases runs that were claimed but never started: they are due at once, as if never claimed. */
export async function releaseRuns(db: SqlDatabase, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  // One whose lease was renewed at the same moment is found the second time, as in `finishRuns`.
  if ((await release(db, leases)) < leases.length) await release(db, leases);
}

/** @returns how many it found */
async function release(db: SqlDatabase, leases: readonly Lease[]): Promise<number> {
  const ids = leases.map((lease) => lease.id);
  return await db.$executeRaw`
    update queue r set lease_id = null, leased_until = null, worker_id = null, due_at = ${dueWhenFreed}
    where r.ctid = any (array(${placesOf(Prisma.sql`${ids}::uuid[]`)}))
      and ((r.id, r.lease_id) in (select * from unnest(${ids}::uuid[], ${leases.map((lease) => lease.leaseId)}::uuid[]))) is true`;
}
