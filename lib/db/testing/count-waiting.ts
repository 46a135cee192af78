import type { Database } from "#lib/db/postgres/client.ts";

/**
 * The connections that wait for a lock of another one. Not through a transaction: in it, this view is
 * read only once.
 */
export async function countWaiting(db: Database): Promise<number> {
  const rows = await db.$queryRaw<unknown[]>`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return rows.length;
}
