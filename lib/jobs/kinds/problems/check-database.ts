import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import { notifyOutages, outageCountsBeyondMs, recordOutage } from "#lib/db/problems/outages.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

/** Opens a problem in every account once the database was away, and is back. */
export function databaseJob(db: SqlDatabase, now: () => number = Date.now): Job {
  let awaySinceMs: number | null = null;
  return defineJob({
    kind: "check_database",
    lock: lockNothing,
    async workBatch() {
      const askedAtMs = now();
      try {
        await notifyOutages(db);
      } catch (error) {
        if (isDatabaseUnavailable(error)) awaySinceMs ??= askedAtMs;
        throw error;
      }
      if (awaySinceMs === null) return false;
      const outage = { fromMs: awaySinceMs, untilMs: now(), deliveries: 0 };
      if (outage.untilMs - outage.fromMs > outageCountsBeyondMs) await recordOutage(db, outage);
      awaySinceMs = null;
      return false;
    },
  });
}
