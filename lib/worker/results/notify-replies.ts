import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { notifyOfReplies } from "#lib/db/replies/notify-replies.ts";

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
