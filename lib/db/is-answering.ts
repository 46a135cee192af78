import type { SqlDatabase } from "./sql-database.ts";

/** Tells a statement that fails for what is in it from a database that is away. */
export async function isAnswering(db: SqlDatabase): Promise<boolean> {
  try {
    await db.$queryRaw`select 1`;
    return true;
  } catch {
    return false;
  }
}
