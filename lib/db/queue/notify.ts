import type { Database } from "../client.ts";

/** The channel that idle workers listen on. */
export const runsDueChannel = "runs_due";

/**
 * Wakes idle workers; call it after the commit that made runs due. Never inside that transaction: a commit with a NOTIFY in it
 * waits for every other one. At most one is under way and one waits, whatever the number of calls. A lost one costs
 * a worker's poll interval, nothing else, so it is neither awaited nor repeated.
 */
export function notifyRunsDue(db: Database): void {
  const known = notifiers.get(db);
  if (known !== undefined) {
    known.isWanted = true;
    return;
  }
  const notifier = { isWanted: true };
  notifiers.set(db, notifier);
  void notifyWhileWanted(db, notifier);
}

type Notifier = { isWanted: boolean };

/** Only those that have a NOTIFY under way. */
const notifiers = new Map<Database, Notifier>();

async function notifyWhileWanted(db: Database, notifier: Notifier): Promise<void> {
  try {
    while (notifier.isWanted) {
      notifier.isWanted = false;
      await db.$executeRaw`select pg_notify(${runsDueChannel}, '')`;
    }
  } catch {
    // The database is away; workers poll.
  } finally {
    notifiers.delete(db);
  }
}
