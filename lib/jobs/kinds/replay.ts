import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { queueReplays } from "#lib/db/replays/queue-replays.ts";
import type { ReplayFilter } from "#lib/schema/act/replay.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow } from "../lock-row.ts";

/**
 * Queues new runs for past deliveries, oldest first. A replay of those without a run is a backfill.
 */
export function replayJob(db: SqlDatabase): Job {
  const kind = "replay";
  return defineJob({
    kind,
    lock: lockRow<ReplayFilter>(db, kind),
    async workBatch({ tx, maxRuns, ...job }) {
      const { queued, last } = await queueReplays(tx, job, maxRuns);
      return {
        changed: queued.length,
        runs: queued,
        seenBefore: last ?? job.seenBefore,
        isAtEnd: last === null,
      };
    },
  });
}
