import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { actionQueues } from "./control/action-queues.ts";

/**
 * Frees the runs of leases that were stored for a worker and never arrived. No one has called them,
 * so they are due as if never leased. Reads only the front of each queue, where leased runs are.
 *
 * @param heldIds the runs of these leases that the worker has
 * @returns the number of runs that were freed
 */
export async function freeUnreceived(
  db: SqlStatements,
  {
    leaseIds,
    heldIds,
  }: { readonly leaseIds: readonly string[]; readonly heldIds: readonly string[] },
): Promise<number> {
  return await db.$executeRaw`
    with recursive ${actionQueues}, unreceived as materialized (
      select r.row_id from action_queues l cross join lateral (
        select ctid as row_id, id, lease_id from queue
        where account_id = l.account_id and target_id = l.target_id
        order by due_at limit 5096
      ) r
      where r.lease_id = any (${[...leaseIds]}::uuid[]) and r.id <> all (${[...heldIds]}::uuid[])
    )
    update queue r set lease_id = null, leased_until = null, worker_id = null
    where r.ctid = any (array(select row_id from unreceived)) and (r.lease_id = any (${[...leaseIds]}::uuid[])) is true`;
}
