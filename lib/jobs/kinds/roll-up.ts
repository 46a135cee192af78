import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { countUsage } from "#lib/db/usage/count-usage.ts";
import { dayMs, defineJob, type Job, lockNothing } from "../job.ts";

/** The longest span of a statistics page, plus a day. */
const countedDays = 31;

/** Counts deliveries and runs into hourly rows. */
export function rollUpJob(db: SqlDatabase, retentionDays: number): Job {
  const days = retentionDays === 0 ? countedDays : Math.min(retentionDays, countedDays);
  return defineJob({
    kind: "roll_up",
    lock: lockNothing,
    workBatch: () => rollUpStep(db, Date.now() - days * dayMs),
  });
}

/** Counts what accounts use, by day. */
export function countUsageJob(db: SqlDatabase): Job {
  return defineJob({ kind: "count_usage", lock: lockNothing, workBatch: () => countUsage(db) });
}
