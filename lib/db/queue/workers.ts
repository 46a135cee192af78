import { Prisma } from "#lib/db/generated/client.ts";
import type { ListenSession } from "#lib/db/postgres/listen.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * First half of the advisory lock that a live worker's session holds. The second half is the
 * worker's id.
 */
export const workerLockClass = 0x63_61_74_77;

/** Condition on a row `w` of `workers`: no session of this database holds its lock. */
export const isLockReleased = Prisma.sql`not exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ${Prisma.raw(String(workerLockClass))} and l.objid = w.id::oid and l.objsubid = 2 and l.granted
  )`;

/**
 * Registers a worker on the connection that represents its life: its lock goes when the connection
 * does. The lock is taken before the row exists, so that a live worker is never seen without it.
 *
 * @returns the worker's id, valid as long as this session
 */
export async function registerWorker(session: ListenSession, name: string): Promise<number> {
  const [next] = await session.query<{ id: number }>(
    "select nextval('workers_id_seq')::int as id",
    [],
  );
  if (next === undefined) throw new Error("workers_id_seq gave no number");
  await session.query("select pg_advisory_lock($1::int, $2::int)", [workerLockClass, next.id]);
  await session.query("insert into workers (id, name) values ($1, $2)", [next.id, name]);
  return next.id;
}

/** Removes a worker, as the last step after it has finished or released all its runs. */
export async function deregisterWorker(session: ListenSession, workerId: number): Promise<void> {
  await session.query("delete from workers where id = $1", [workerId]);
}

/** The number of registered workers, on all machines. */
export async function countWorkers(db: SqlStatements): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from workers`;
  return row?.count ?? 0;
}
