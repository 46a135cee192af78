import { accessSync, chmodSync, chownSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode, errorMessage, StartError } from "./start-error.ts";

/**
 * Makes the data folder and returns its absolute path. It is closed to everybody else: 0700. Run as root, PostgreSQL
 * runs as another user who must be able to pass through to its own folder inside: then 0710 with that user's group,
 * which lets it pass but neither list, read nor replace what lies here.
 */
export function prepareDataFolder(dataDir: string, passGroupId: number | undefined): string {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw notAFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (passGroupId !== undefined) chownSync(folder, -1, passGroupId);
    chmodSync(folder, passGroupId === undefined ? 0o700 : 0o710);
  } catch (error) {
    throw toStartError(folder, error);
  }
  return folder;
}

/** Not `recursive`: under a folder that takes none, such as /proc, node never comes back from that, and can't be stopped by a signal. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/** Does something that writes into the data folder. A full disk is one sentence, also where it is a program of PostgreSQL that meets it. */
export async function writeInto<T>(folder: string, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isFull = errorCode(error) === "ENOSPC" || errorMessage(error).includes("No space left on device");
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
        `The data folder ${folder} can't be written by this user: change its owner or set CATCHMENT_DATA_DIR to another folder.`,
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
