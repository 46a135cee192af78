import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { type FinishedRun, finishRuns } from "#lib/db/queue/finish-runs.ts";
import { WriteQueue } from "./write-queue.ts";

export type FinishQueue = WriteQueue<FinishedRun>;

/** Writes the outcomes of runs. */
export function openFinishQueue(
  db: SqlDatabase,
  onWritten: (finished: readonly FinishedRun[], late: ReadonlySet<string>) => void,
): FinishQueue {
  return new WriteQueue({
    db,
    write: finishRuns,
    onWritten,
    runIdOf: ({ id }) => id,
    charsOf: ({ attempt, answer }) =>
      (attempt?.requestJson?.length ?? 0) +
      (attempt?.responseJson?.length ?? 0) +
      (answer?.answer?.body.length ?? 0),
  });
}
