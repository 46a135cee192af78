import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { Prisma } from "../generated/client.ts";
import { rowIdsOf, writeByRowId } from "./by-row-id.ts";
import { dueWhenFreed } from "./control/claim-order.ts";
import type { Lease } from "./renew-leases.ts";

/** Releases runs that were claimed but never started: they are due at once, as if never claimed. */
export async function releaseRuns(db: SqlDatabase, leases: readonly Lease[]): Promise<void> {
  await writeByRowId(db, leases, { runIdOf: ({ id }) => id, write: release });
}

async function release(to: SqlStatements, leases: readonly Lease[]): Promise<readonly Lease[]> {
  const ids = leases.map((lease) => lease.id);
  const rows = await to.$queryRaw<{ id: string }[]>`
    update queue r set lease_id = null, leased_until = null, worker_id = null, due_at = ${dueWhenFreed}
    where r.ctid = any (array(${rowIdsOf(Prisma.sql`${ids}::uuid[]`)}))
      and ((r.id, r.lease_id) in (select * from unnest(${ids}::uuid[], ${leases.map((lease) => lease.leaseId)}::uuid[]))) is true
    returning r.id`;
  const released = new Set(rows.map(({ id }) => id));
  return leases.filter(({ id }) => !released.has(id));
}

/**
 * Releases the runs of leases that were never started, as if never claimed: of claims whose response never
 * arrived, and of a worker that was killed. Reads the whole queue, because leases have no index, and both are rare.
 *
 * @param startedIds the runs of these leases that may have been called
 * @returns the number of released runs
 */
export async function releaseLeases(
  db: SqlDatabase,
  leaseIds: readonly string[],
  startedIds: readonly string[] = [],
): Promise<number> {
  return await db.$transaction(async (tx) => {
    await tx.$executeRaw`select set_config('enable_seqscan', 'on', true), set_config('statement_timeout', '60s', true)`;
    return await tx.$executeRaw`
      update queue r set lease_id = null, leased_until = null, worker_id = null, due_at = ${dueWhenFreed}
      where lease_id = any (${[...leaseIds]}::uuid[])
        and not exists (select from unnest(${[...startedIds]}::uuid[]) as started(id) where started.id = r.id)`;
  });
}
