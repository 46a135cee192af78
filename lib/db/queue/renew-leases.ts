import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { Prisma } from "../generated/client.ts";
import { rowIdsOf } from "./by-row-id.ts";

export type Lease = { readonly id: string; readonly leaseId: string };

/**
 * Extends the leases of calls in flight, never those of others. Skips a run that is being written
 * at this moment: its result is on its way, and two statements waiting for each other's rows would
 * deadlock.
 *
 * @returns the ids of the extended runs
 */
export async function renewLeases(
  db: SqlStatements,
  options: {
    readonly leases: readonly Lease[];
    readonly leaseMs: number;
    readonly workerId: number;
  },
): Promise<ReadonlySet<string>> {
  const { leases, leaseMs, workerId } = options;
  if (leases.length === 0) return new Set();
  // Updates the worker's id too: after the worker registered again, its runs are found under the
  // new one.
  const ids = leases.map((lease) => lease.id);
  const rows = await db.$queryRaw<{ id: string }[]>`
    with held as (
      select r.ctid as row_id from queue r
      where r.ctid = any (array(${rowIdsOf(Prisma.sql`${ids}::uuid[]`)}))
        and ((r.id, r.lease_id) in (select * from unnest(${ids}::uuid[], ${leases.map((lease) => lease.leaseId)}::uuid[]))) is true
      for no key update of r skip locked
    )
    update queue r
    set leased_until = now() + ${leaseMs}::int * interval '1 millisecond', worker_id = ${workerId}::int
    where r.ctid = any (array(select row_id from held))
    returning r.id`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Finds leased runs of actions that need no more work: another worker has them, they were deleted,
 * or their hook or action was deleted, disabled, or is held.
 */
export async function findPointless(
  db: SqlStatements,
  leases: readonly Lease[],
): Promise<readonly Lease[]> {
  if (leases.length === 0) return [];
  return await db.$queryRaw<Lease[]>`
    select t.id, t.lease_id as "leaseId"
    from unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ leaseId }) => leaseId)}::uuid[]) as t(id, lease_id)
    left join queue q on q.id = t.id and q.lease_id = t.lease_id
    left join hooks h on h.id = q.hook_id
    left join actions a on a.id = q.target_id
    where q.id is null or h.status is distinct from 'active' or h.deleted_at is not null
      or a.enabled is not true or a.held_since is not null or a.deleted_at is not null`;
}
