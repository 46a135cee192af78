import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { addRejectedCounts } from "#lib/db/deliveries/rejected-counts.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { recordListening } from "#lib/db/silence/hook-hours.ts";
import type { RejectionBudget } from "./rejection-budget.ts";

/** Writes the counts of rejected requests. If it can't, the next call does. */
export async function flushCounts(db: SqlDatabase, rejections: RejectionBudget): Promise<void> {
  const counts = rejections.drainCounts();
  if (counts.length === 0) return;
  try {
    await addRejectedCounts(db, counts);
  } catch (error) {
    rejections.restoreCounts(counts);
    log.warn("rejections.not_counted", { error: toError(error) });
  }
}

/** Without a database, nothing is caught either. */
export async function keepListening(db: SqlDatabase): Promise<void> {
  try {
    await recordListening(db);
  } catch (error) {
    log.warn("listening.not_recorded", { error: toError(error) });
  }
}
