import type { SqlStatements } from "./sql-database.ts";

/** The part that keeps deliveries from being stored, described without names or versions. */
export type StorageCheck = { readonly ok: true } | { readonly ok: false; readonly failing: string };

/**
 * Checks if a delivery could be stored now: the database responds, is writable, has our tables, and
 * makes a commit durable. The commit is a real one, so that a full or hanging disk is detected: a
 * message in the write-ahead log that no table stores, flushed like any other. Never throws. The
 * caller sets the time limit.
 */
export async function checkStorage(db: SqlStatements): Promise<StorageCheck> {
  try {
    const [row] = await db.$queryRaw<{ read_only: boolean; has_tables: boolean }[]>`
      select current_setting('transaction_read_only') = 'on' as read_only,
        to_regclass('deliveries') is not null and to_regclass('runs') is not null as has_tables`;
    if (row === undefined || row.read_only)
      return { ok: false, failing: "database: it is read-only" };
    if (!row.has_tables) return { ok: false, failing: "database: its tables are missing" };
    await db.$executeRaw`select pg_logical_emit_message(true, 'catchment', 'health')`;
    return { ok: true };
  } catch {
    return { ok: false, failing: "database: it can't be reached or can't write" };
  }
}
