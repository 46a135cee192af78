import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** Counts the statements that the database works on now for other connections of Catchment. */
export async function countActiveStatements(db: SqlStatements): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()`;
  return row?.count ?? 0;
}
