import { accessSync, constants, existsSync, lchownSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SpoolEnv } from "#lib/core/env/spool-env.ts";
import { errorCode } from "#lib/errors.ts";
import { findServiceUser } from "./service-user.ts";
import { StartError } from "./start-error.ts";

/**
 * Makes the spool's folder, private to the user that Catchment runs as. With a broker, it is in the
 * data folder, which may not be there with `DATABASE_URL`. Call it while this process is still root,
 * if it is.
 */
export function makeSpoolFolder({ folder, broker }: SpoolEnv): void {
  try {
    if (broker !== undefined) makeFolder(dirname(folder));
    makeFolder(folder);
  } catch (error) {
    const variable = broker === undefined ? "CATCHMENT_SPOOL_URL" : "CATCHMENT_DATA_DIR";
    throw new StartError(
      `The spool's folder ${folder} can't be made (${errorCode(error)}): make the folder that it is in, or ` +
        `set ${variable} to another one.`,
    );
  }
}

function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  // In a folder that can't contain others, such as /proc, `recursive` never returns.
  mkdirSync(folder, { mode: 0o700 });
  const user = findServiceUser();
  if (user !== undefined) lchownSync(folder, user.uid, user.gid);
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
