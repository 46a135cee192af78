import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

type Lease = { readonly id: string; readonly leaseId: string };

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
