import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FolderLock, tryLockFolder } from "#lib/spool/lock-folder.ts";
import { StartError } from "./start-error.ts";

/** Keeps a second Catchment out of this data folder. */
export function lockDataFolder(folder: string): FolderLock {
  const lock = tryLockFolder(folder);
  if (lock === null)
    throw new StartError(
      `The data folder ${folder} is in use by another Catchment${holder(folder)}: ` +
        "stop that one, or set CATCHMENT_DATA_DIR to another folder.",
    );
  writeFileSync(join(folder, "lock.pid"), `${process.pid}\n`, { mode: 0o600 });
  return lock;
}

/** The process that holds the lock, for the message only. The process id decides nothing. */
function holder(folder: string): string {
  try {
    return ` (process ${readFileSync(join(folder, "lock.pid"), "utf8").trim()})`;
  } catch {
    return "";
  }
}
