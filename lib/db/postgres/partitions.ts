import type { SqlDatabase } from "./sql-database.ts";

const partitioned = ["deliveries", "attempts"] as const;

/**
 * Creates the weekly partitions of the next four weeks. Cheap if they exist. Run it at start and
 * every hour.
 */
export async function ensurePartitions(db: SqlDatabase): Promise<void> {
  for (const table of partitioned) {
    await db.$queryRaw`select ensure_weekly_partitions(${table}, now(), now() + interval '28 days')`;
  }
}
