import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { recordHealth } from "#lib/db/queue/control/record-health.ts";
import { type FinishedRun, finishRuns } from "#lib/db/queue/finish-runs.ts";
import { notifyOfReplies } from "#lib/db/replies/notify-replies.ts";
import { WriteQueue } from "./write-queue.ts";

export type FinishQueue = WriteQueue<FinishedRun>;

/**
 * Writes the outcomes of runs.
 *
 * @param inFlight the runs whose outcome isn't written, including those that wait here
 */
export function openFinishQueue(
  db: SqlDatabase,
  inFlight: { readonly size: number },
  onWritten: (finished: readonly FinishedRun[], late: ReadonlySet<string>) => void,
): FinishQueue {
  /** A statement that is repeated must not count them twice. */
  const counted = new WeakSet<FinishedRun>();
  return new WriteQueue({
    db,
    async write(to, batch) {
      // Health is recorded first, so that a failure always counts as in flight or as failed.
      const unknown = batch.filter((run) => run.health !== undefined && !counted.has(run));
      if (unknown.length > 0)
        await recordHealth(
          to,
          unknown.flatMap(({ health }) => health ?? []),
        );
      for (const run of unknown) counted.add(run);
      return finishRuns(to, batch);
    },
    onWritten,
    expected: () => inFlight.size,
    runIdOf: ({ id }) => id,
    charsOf: ({ attempt, reply }) =>
      (attempt?.requestJson?.length ?? 0) +
      (attempt?.responseJson?.length ?? 0) +
      (reply?.reply?.body.length ?? 0),
  });
}

/** Notifies the catch processes of replies that were stored with these runs, if there are any. */
export function notifyReplies(
  db: SqlDatabase,
  finished: readonly FinishedRun[],
  late: ReadonlySet<string>,
): void {
  const ids = finished.flatMap((run) =>
    run.reply === undefined || run.kind === "send" || late.has(run.id) ? [] : [run.deliveryId],
  );
  if (ids.length > 0) void notifyOfReplies(db, ids);
}
