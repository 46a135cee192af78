import type { SqlDatabase } from "../sql-database.ts";

export type Lease = { readonly id: string; readonly leaseId: string };

/**
 * Extends the leases of calls that are still under way. Somebody else's lease is never extended.
 *
 * @returns the ids of the runs that are still held
 */
export async function renewLeases(
  db: SqlDatabase,
  options: { readonly leases: readonly Lease[]; readonly leaseMs: number; readonly workerId: number },
): Promise<ReadonlySet<string>> {
  const { leases, leaseMs, workerId } = options;
  if (leases.length === 0) return new Set();
  // The worker's id is written too: after it had to register anew, what it holds is found under its new one.
  const rows = await db.$queryRaw<{ id: string }[]>`
    update runs r
    set leased_until = now() + ${leaseMs}::int * interval '1 millisecond', worker_id = ${workerId}::int
    from unnest(${leases.map((lease) => lease.id)}::uuid[], ${leases.map((lease) => lease.leaseId)}::uuid[]) as t(id, lease_id)
    where r.id = t.id and r.lease_id = t.lease_id
    returning r.id`;
  return new Set(rows.map((row) => row.id));
}
