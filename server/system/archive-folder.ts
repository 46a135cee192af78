import { existsSync, lchownSync, mkdirSync } from "node:fs";
import { findServiceUser } from "./service-user.ts";

/**
 * Makes the archive's folder, private to the user that Catchment runs as. Call it while this process is
 * still root, if it is. If it can't be made, deliveries are caught all the same: a problem says that
 * weeks stay.
 */
export function makeArchiveFolder(folder: string): void {
  if (existsSync(folder)) return;
  try {
    mkdirSync(folder, { mode: 0o700 });
    const user = findServiceUser();
    if (user !== undefined) lchownSync(folder, user.uid, user.gid);
  } catch {
    // The first week says why.
  }
}
