import type { Database } from "#lib/db/postgres/client.ts";

/**
 * Deletes all rows of some tables, and what hangs on them. `truncate … cascade` would give each of 150 tables and
 * their indexes a new file, and every connection would read the catalog again.
 */
export async function emptyTables(db: Database, ...tables: readonly string[]): Promise<void> {
  const deletes = tables.map((table) => `delete from ${table};`).join(" ");
  await db.$executeRawUnsafe(`do $$ begin ${deletes} end $$`);
}
