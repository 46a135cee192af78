import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The number of registered workers, on all machines. */
export async function countWorkers(db: SqlStatements): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from workers`;
  return row?.count ?? 0;
}
