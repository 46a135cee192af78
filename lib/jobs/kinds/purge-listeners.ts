import { purgeListeners } from "#lib/db/listeners/purge-listeners.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";

/** Removes listeners that no program uses, and what their accounts' logs keep for no one. */
export function purgeListenersJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "purge_listeners",
    lock: lockNothing,
    workBatch: () => purgeListeners(db),
  });
}
