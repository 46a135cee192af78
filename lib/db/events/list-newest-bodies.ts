import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The bodies of the newest events of a type, newest first. */
export async function listNewestBodies(
  db: SqlStatements,
  accountId: string,
  type: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ body: string }[]>`
    select convert_from(body, 'UTF8') as body from events
    where account_id = ${accountId}::uuid and type = ${type}
    order by id desc limit ${limit}::int`;
  return rows.map(({ body }) => body);
}
