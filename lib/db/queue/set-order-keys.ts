import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { Prisma } from "../generated/client.ts";
import { rowIdsOf, writeByRowId } from "./by-row-id.ts";
import type { Lease } from "./renew-leases.ts";

export type KeyedRun = Lease & { readonly orderKey: bigint };

/**
 * Stores the keys of claimed runs of ordered actions, and releases them. Each runs when it is the
 * oldest of its key.
 *
 * @returns the ids of runs that had been taken over
 */
export async function setOrderKeys(
  db: SqlDatabase,
  runs: readonly KeyedRun[],
): Promise<ReadonlySet<string>> {
  const late = await writeByRowId(db, runs, { runIdOf: ({ id }) => id, write: store });
  return new Set(late.map(({ id }) => id));
}

async function store(to: SqlStatements, runs: readonly KeyedRun[]): Promise<readonly KeyedRun[]> {
  const ids = runs.map(({ id }) => id);
  const leaseIds = runs.map(({ leaseId }) => leaseId);
  const rows = await to.$queryRaw<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${ids}::uuid[], ${leaseIds}::uuid[], ${runs.map(({ orderKey }) => String(orderKey))}::bigint[])
        as t(id, lease_id, order_key)
    )
    update queue q set lease_id = null, leased_until = null, worker_id = null, order_key = i.order_key
    from input i
    where q.ctid = any (array(${rowIdsOf(Prisma.sql`array(select id from input)`)})) and q.id = i.id
      and ((q.id, q.lease_id) in (select id, lease_id from input)) is true
    returning q.id`;
  const stored = new Set(rows.map(({ id }) => id));
  return runs.filter(({ id }) => !stored.has(id));
}
