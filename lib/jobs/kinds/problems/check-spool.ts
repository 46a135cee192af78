import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { resolveShared, updateShared } from "#lib/db/problems/shared-problems.ts";
import { readSpools } from "#lib/db/spool/spool-reports.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

/** A shorter wait is a hiccup of the database, not a problem. */
const opensAfterMs = 10_000;

/** Keeps a problem open in every account while deliveries wait in a spool, or can't be stored. */
export function spoolJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "check_spool",
    lock: lockNothing,
    async workBatch() {
      const { waiting, oldestAt, setAside, hosts } = await readSpools(db);
      const waitedMs = oldestAt === null ? 0 : Date.now() - oldestAt.getTime();
      if (setAside > 0 || (waiting > 0 && waitedMs > opensAfterMs))
        await updateShared(
          db,
          {
            kind: "spool",
            waiting,
            setAside,
            hosts: [...hosts],
            oldestAt: oldestAt?.toISOString() ?? null,
          },
          oldestAt?.getTime(),
        );
      else if (waiting === 0) await resolveShared(db, "spool");
      return false;
    },
  });
}
