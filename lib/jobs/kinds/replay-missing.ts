import { hasOlderWriter, queueMissing } from "#lib/db/events/find-missing.ts";
import { postponeJob } from "#lib/db/jobs/lock-bulk-job.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { MissingFilter } from "#lib/db/runs/bulk-jobs.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow } from "../lock-row.ts";

/** Sends a subscription the events that it never got, oldest first. */
export function replayMissingJob(db: SqlDatabase): Job {
  const kind = "replay_missing";
  return defineJob({
    kind,
    lock: lockRow<MissingFilter>(db, kind),
    async workBatch({ tx, maxRuns, ...job }) {
      if (await hasOlderWriter(tx, job.id)) {
        await postponeJob(tx, job.id);
        return { changed: 0, runs: [], seenBefore: job.seenBefore, isAtEnd: false };
      }
      const { runIds, last } = await queueMissing(tx, job, maxRuns);
      return {
        changed: runIds.length,
        runs: runIds.map((id) => ({ id, sentBy: null })),
        seenBefore: last ?? job.seenBefore,
        isAtEnd: last === null,
      };
    },
  });
}
