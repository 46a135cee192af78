import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { Prisma } from "../generated/client.ts";
import { placesOf } from "./places-of.ts";
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
  const stored = await store(db, runs);
  // One whose lease was renewed at the same moment is found the second time, as in `finishRuns`.
  const missed = runs.filter(({ id }) => !stored.has(id));
  const again = missed.length === 0 ? stored : await store(db, missed);
  return new Set(missed.flatMap(({ id }) => (again.has(id) ? [] : [id])));
}

async function store(db: SqlDatabase, runs: readonly KeyedRun[]): Promise<ReadonlySet<string>> {
  const ids = runs.map(({ id }) => id);
  const leaseIds = runs.map(({ leaseId }) => leaseId);
  const rows = await db.$queryRaw<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${ids}::uuid[], ${leaseIds}::uuid[], ${runs.map(({ orderKey }) => String(orderKey))}::bigint[])
        as t(id, lease_id, order_key)
    )
    update queue q set lease_id = null, leased_until = null, worker_id = null, order_key = i.order_key
    from input i
    where q.ctid = any (array(${placesOf(Prisma.sql`array(select id from input)`)})) and q.id = i.id
      and ((q.id, q.lease_id) in (select id, lease_id from input)) is true
    returning q.id`;
  return new Set(rows.map(({ id }) => id));
}
