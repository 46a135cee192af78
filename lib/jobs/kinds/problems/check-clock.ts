import { hostname } from "node:os";
import { clockRefusesBeyondMs, clockWarnsBeyondMs } from "#lib/core/watch/follow-clock.ts";
import { listWrongClocks, readClock } from "#lib/db/clock/database-clock.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { resolveShared, updateShared } from "#lib/db/problems/shared-problems.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

/** Keeps a problem open in every account while the clock of a machine is off by over a minute. */
export function clockJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "check_clock",
    lock: lockNothing,
    async workBatch() {
      await readClock(db, { host: hostname(), role: "worker", now: Date.now });
      const wrong = await listWrongClocks(db, clockWarnsBeyondMs);
      if (wrong.length === 0) await resolveShared(db, "clock");
      else
        await updateShared(db, {
          kind: "clock",
          machines: wrong.map(({ host, offsetMs }) => ({
            host,
            offsetSeconds: Math.round(offsetMs / 1_000),
          })),
          refuses: wrong.some(({ offsetMs }) => Math.abs(offsetMs) > clockRefusesBeyondMs),
        });
      return false;
    },
  });
}
