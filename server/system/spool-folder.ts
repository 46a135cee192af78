import { accessSync, constants, existsSync, lchownSync, mkdirSync } from "node:fs";
import { errorCode } from "#lib/errors.ts";
import { findServiceUser } from "./service-user.ts";
import { StartError } from "./start-error.ts";

/**
 * Makes the spool's folder, private to the user that Catchment runs as. Call it while this process
 * is still root, if it is.
 */
export function makeSpoolFolder(folder: string): void {
  if (existsSync(folder)) return;
  try {
    // In a folder that can't contain others, such as /proc, `recursive` never returns.
    mkdirSync(folder, { mode: 0o700 });
    const user = findServiceUser();
    if (user !== undefined) lchownSync(folder, user.uid, user.gid);
  } catch (error) {
    throw new StartError(
      `The spool's folder ${folder} can't be made (${errorCode(error)}): make the folder that it is in, or ` +
        "set CATCHMENT_SPOOL_URL to another one.",
    );
  }
}

/** Call it as the user that Catchment runs as. */
export function requireSpoolFolder(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new StartError(
      `The spool's folder ${folder} can't be written by this user: change its owner, or set ` +
        "CATCHMENT_SPOOL_URL to another folder.",
    );
  }
}
