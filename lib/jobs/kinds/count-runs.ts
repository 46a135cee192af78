import { countOutcomes, hasUncounted, lockUncounted } from "#lib/db/jobs/count-outcomes.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";

/** Counts what has become of the runs of bulk jobs, until none is open. */
export function countRunsJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "count_runs",
    lock: lockNothing,
    workBatch: () => countNext(db),
  });
}

async function countNext(db: SqlDatabase): Promise<boolean> {
  if (!(await hasUncounted(db))) return false;
  return await db.$transaction(async (tx) => {
    const jobId = await lockUncounted(tx);
    if (jobId === null) return false;
    await countOutcomes(tx, jobId);
    return true;
  });
}
