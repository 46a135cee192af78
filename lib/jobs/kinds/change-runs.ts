import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { BulkFilter } from "#lib/db/runs/bulk-jobs.ts";
import { changeRuns } from "#lib/db/runs/change-runs.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow } from "../lock-row.ts";

/** Retries or cancels the runs that matched a filter when the job was created. */
export function changeRunsJob(db: SqlDatabase, kind: BulkKind): Job {
  return defineJob({
    kind,
    lock: lockRow<BulkFilter>(db, kind),
    async workBatch({ tx, maxRuns, ...job }) {
      const { changedIds, ...progress } = await changeRuns(tx, kind, job, maxRuns);
      const runs = changedIds.map((id) => ({ id, sentBy: null }));
      return { ...progress, changed: changedIds.length, runs, movedRunIds: changedIds };
    },
  });
}
