import { setTimeout as delay } from "node:timers/promises";
import { workInBackground } from "#lib/db/postgres/background-work.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

/** The channel that idle workers listen on. */
export const runsDueChannel = "runs_due";

/** Says which hook has changed, also by one of its actions, and by runs that were canceled. */
export const hookChangedChannel = "hook_changed";

/**
 * Wakes idle workers. Call it after the commit that made runs due, never inside that transaction: a
 * commit with a NOTIFY waits for every other one. The first notification is sent at once, then at
 * most one every `gapMs`. A lost one only costs a worker's poll interval, so it is neither awaited
 * nor repeated.
 */
export function notifyRunsDue(db: SqlDatabase): void {
  const known = notifiers.get(db);
  if (known !== undefined) {
    known.isWanted = true;
    return;
  }
  const notifier: Notifier = { isWanted: true };
  notifiers.set(db, notifier);
  workInBackground(db, notifyWhileWanted(db, notifier));
}

/**
 * Drops notifications of a database that stands for a transaction. The caller notifies after its
 * commit. Returns what ends it.
 */
export function muteNotifications(db: SqlDatabase): () => void {
  notifiers.set(db, { isWanted: false });
  return () => notifiers.delete(db);
}

type Notifier = { isWanted: boolean };

/**
 * The minimum time between notifications. Under load, workers are busy: more notifications would
 * only make their claims smaller.
 */
const gapMs = 25;

/** The notifiers of databases that have sent a NOTIFY within the last `gapMs`. */
const notifiers = new Map<SqlDatabase, Notifier>();

async function notifyWhileWanted(db: SqlDatabase, notifier: Notifier): Promise<void> {
  try {
    while (notifier.isWanted) {
      notifier.isWanted = false;
      await db.$executeRaw`select pg_notify(${runsDueChannel}, '')`;
      await delay(gapMs);
    }
  } catch {
    // The database is unavailable. Workers poll.
  } finally {
    notifiers.delete(db);
  }
}
