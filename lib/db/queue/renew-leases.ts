import type { SqlDatabase } from "../sql-database.ts";

export type Lease = { readonly id: string; readonly leaseId: string };

/**
 * Extends the leases of calls that are still under way. Somebody else's lease is never extended. A run that is being written in this very
 * moment is left to that: its result is on its way, and two statements that wait for each other's rows would be a deadlock.
 *
 * @returns the ids of the runs that were extended
 */
export async function renewLeases(
  db: SqlDatabase,
  options: { readonly leases: readonly Lease[]; readonly leaseMs: number; readonly workerId: number },
): Promise<ReadonlySet<string>> {
  const { leases, leaseMs, workerId } = options;
  if (leases.length === 0) return new Set();
  // The worker's id is written too: after it had to register anew, what it holds is found under its new one.
  const rows = await db.$queryRaw<{ id: string }[]>`
    with held as (
      select r.id from runs r
      join unnest(${leases.map((lease) => lease.id)}::uuid[], ${leases.map((lease) => lease.leaseId)}::uuid[]) as t(id, lease_id)
        on r.id = t.id and r.lease_id = t.lease_id
      for no key update of r skip locked
    )
    update runs r
    set leased_until = now() + ${leaseMs}::int * interval '1 millisecond', worker_id = ${workerId}::int
    from held where r.id = held.id
    returning r.id`;
  return new Set(rows.map((row) => row.id));
}
