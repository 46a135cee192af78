import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { errorMessage, StartError } from "./start-error.ts";

/** Creates the data folder, private to its owner (0700), and returns its absolute path. */
export function prepareDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw notAFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw toStartError(folder, error);
  }
  return folder;
}

/**
 * Not `recursive`: in a folder that can't contain others, such as /proc, node never returns from
 * that and can't be stopped by a signal.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/**
 * Runs a function that writes into the data folder. A full disk is reported in one sentence, even
 * if a PostgreSQL program runs into it.
 */
export async function writeInto<T>(folder: string, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isFull =
      errorCode(error) === "ENOSPC" || errorMessage(error).includes("No space left on device");
    throw isFull ? fullDisk(folder) : error;
  }
}

function fullDisk(folder: string): StartError {
  return new StartError(`The disk that holds the data folder ${folder} is full: free some space.`);
}

function notAFolder(folder: string): StartError {
  return new StartError(
    `The data folder ${folder} is not a folder: set CATCHMENT_DATA_DIR to another place.`,
  );
}

function toStartError(folder: string, error: unknown): unknown {
  switch (errorCode(error)) {
    case "EEXIST":
    case "ENOTDIR":
      return notAFolder(folder);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new StartError(
        `The data folder ${folder} can't be written by this user: change ` +
          "its owner or set CATCHMENT_DATA_DIR to another folder.",
      );
    case "ENOSPC":
      return fullDisk(folder);
    case undefined:
      return error;
    default:
      return new StartError(
        `The data folder ${folder} can't be made (${errorCode(error)}): set CATCHMENT_DATA_DIR to another folder.`,
      );
  }
}
