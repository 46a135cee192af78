import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

export type DataFolderLock = { release(): void };

/**
 * Keeps a second Catchment out of this data folder. The lock is the kernel's (SQLite locks an empty
 * file, since Node has no flock): it ends with the process in any case, so there are no stale
 * locks, and no process ids that mean something else after a restart or in another container.
 */
export function lockDataFolder(folder: string): DataFolderLock {
  const database = new DatabaseSync(join(folder, "lock"));
  try {
    // Nothing is ever written: the journal stays in memory and the file empty.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isLocked(error)) throw error;
    throw new StartError(
      `The data folder ${folder} is in use by another Catchment${holder(folder)}: ` +
        "stop that one, or set CATCHMENT_DATA_DIR to another folder.",
    );
  }
  writeFileSync(join(folder, "lock.pid"), `${process.pid}\n`, { mode: 0o600 });
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

/** The process that holds the lock, for the message only. The process id decides nothing. */
function holder(folder: string): string {
  try {
    return ` (process ${readFileSync(join(folder, "lock.pid"), "utf8").trim()})`;
  } catch {
    return "";
  }
}
