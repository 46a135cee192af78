import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { resolveShared, updateShared } from "#lib/db/problems/shared-problems.ts";
import { readSpools } from "#lib/db/spool/spool-reports.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

/** A shorter wait is a hiccup of the database, not a problem. */
const opensAfterMs = 10_000;

/**
 * Keeps a problem open in every account while deliveries are held up in a spool, or can't be stored. After an
 * outage, the oldest one is another one at each look: that is a problem of the database, which tells of it
 * once.
 */
export function spoolJob(db: SqlDatabase): Job {
  let oldestBefore: number | null = null;
  return defineJob({
    kind: "check_spool",
    lock: lockNothing,
    async workBatch() {
      const { waiting, oldestAt, setAside, hosts, asideNames } = await readSpools(db);
      const oldestAtMs = oldestAt?.getTime() ?? null;
      const isHeldUp = waiting > 0 && oldestAtMs !== null && oldestAtMs === oldestBefore;
      oldestBefore = oldestAtMs;
      if (setAside > 0 || (isHeldUp && Date.now() - oldestAtMs > opensAfterMs))
        await updateShared(
          db,
          {
            kind: "spool",
            waiting,
            setAside,
            hosts: [...hosts],
            asideNames: [...asideNames],
            oldestAt: oldestAt?.toISOString() ?? null,
          },
          oldestAtMs ?? undefined,
        );
      else if (waiting === 0) await resolveShared(db, "spool");
      return false;
    },
  });
}
