import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type FolderLock = { release(): void };

/**
 * Locks a folder for this process. The lock is the kernel's (SQLite locks an empty file, since Node
 * has no flock): it ends with the process in any case, so there are no stale locks, and no process
 * ids that mean something else after a restart or in another container.
 *
 * @returns null if another process has it
 */
export function tryLockFolder(folder: string): FolderLock | null {
  const database = new DatabaseSync(join(folder, "lock"));
  try {
    // Nothing is ever written: the journal stays in memory and the file empty.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isLocked(error)) throw error;
    return null;
  }
  return { release: () => database.close() };
}

const sqliteBusy = 5;

function isLocked(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "errcode" in error &&
    error.errcode === sqliteBusy
  );
}
