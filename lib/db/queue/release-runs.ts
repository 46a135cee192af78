import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { Lease } from "./renew-leases.ts";

/** Releases runs that were claimed but never started: they are due at once, as if never claimed. */
export async function releaseRuns(db: SqlDatabase, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await db.$executeRaw`
    update queue r set lease_id = null, leased_until = null, worker_id = null
    from unnest(${leases.map((lease) => lease.id)}::uuid[], ${leases.map((lease) => lease.leaseId)}::uuid[]) as t(id, lease_id)
    where r.id = t.id and r.lease_id = t.lease_id`;
}
