import type { SqlDatabase } from "./sql-database.ts";

const partitioned = ["deliveries", "attempts"] as const;

/** Makes the weekly partitions of the coming four weeks. Cheap when they are there; run at start and every hour. */
export async function ensurePartitions(db: SqlDatabase): Promise<void> {
  for (const table of partitioned) {
    await db.$queryRaw`select ensure_weekly_partitions(${table}, now(), now() + interval '28 days')`;
  }
}
