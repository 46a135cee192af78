import type { SqlDatabase } from "./sql-database.ts";

/** Tells a statement that fails because of its content from an unavailable database. */
export async function isDatabaseReachable(db: SqlDatabase): Promise<boolean> {
  try {
    await db.$queryRaw`select 1`;
    return true;
  } catch {
    return false;
  }
}
