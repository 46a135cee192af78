import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Holds the runs of an action until it changes or a user releases it. False: it has changed since
 * that version, or is held already.
 */
export async function holdAction(
  db: SqlStatements,
  actionId: string,
  version: number,
  reason: string,
): Promise<boolean> {
  const held = await db.$executeRaw`
    update actions set held_since = now(), held_reason = ${reason}
    where id = ${actionId}::uuid and version = ${version}::int and held_since is null and deleted_at is null`;
  return held > 0;
}
