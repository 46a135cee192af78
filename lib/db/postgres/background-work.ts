/** What a database does without being waited for. */
const working = new WeakMap<object, Set<Promise<unknown>>>();

/**
 * Names work that continues in the background, so that the database is disconnected after it. A
 * statement that came later would connect it again. `work` never rejects, and ends by itself.
 */
export function workInBackground(db: object, work: Promise<void>): void {
  const all = working.get(db) ?? new Set();
  working.set(db, all.add(work));
  void work.then(() => all.delete(work));
}

/** Resolves once the database has no work in the background. */
export async function endBackgroundWork(db: object): Promise<void> {
  while (true) {
    const all = working.get(db);
    if (all === undefined || all.size === 0) return;
    await Promise.all(all);
  }
}
