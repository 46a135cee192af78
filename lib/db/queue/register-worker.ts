import type { ListenSession } from "#lib/db/postgres/listen.ts";
import { workerLockClass } from "./worker-lock.ts";

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
