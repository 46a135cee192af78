import { notifyAnswers } from "#lib/db/answers/notify-answers.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";

/** Tells the catch processes about answers that were stored with these runs, if there are any. */
export function tellAnswers(
  db: SqlDatabase,
  finished: readonly FinishedRun[],
  late: ReadonlySet<string>,
): void {
  const ids = finished.flatMap(({ id, deliveryId, answer }) =>
    answer === undefined || deliveryId === null || late.has(id) ? [] : [deliveryId],
  );
  if (ids.length > 0) void notifyAnswers(db, ids);
}
