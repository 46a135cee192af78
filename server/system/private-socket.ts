import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { StartError } from "./start-error.ts";

type SocketPlace = { readonly path: string; release(): void };

/**
 * A unix socket between our processes, such as the one on which the web process listens for the
 * catch listener. It is in a private folder, so that the catch listener can't be bypassed: the data
 * folder if there is one. A folder for temporary files is cleaned up: systemd's `tmpfiles` deletes
 * files that are ten days old, and a dashboard that slept that long would never come back.
 */
export function makePrivateSocket(name: string, dataFolder: string | undefined): SocketPlace {
  const path = dataFolder === undefined ? undefined : join(dataFolder, name);
  if (path !== undefined && fitsSocket(path))
    return { path, release: () => rmSync(path, { force: true }) };
  return makeTemporary(name);
}

/**
 * The kernel limits a socket's path to 108 bytes on Linux and 104 on macOS, including the
 * terminator.
 */
const maxSocketPathBytes = 103;

/** True if a unix socket can have this path. */
export function fitsSocket(path: string): boolean {
  return platform() !== "win32" && Buffer.byteLength(path) <= maxSocketPathBytes;
}

const dayMs = 86_400_000;

function makeTemporary(name: string): SocketPlace {
  const folder = makeTemporaryFolder();
  // Touching the folder keeps it too new to be cleaned up.
  const touching = setInterval(() => touch(folder), dayMs).unref();
  return {
    path: join(folder, name),
    release() {
      clearInterval(touching);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "catchment-"));
  } catch (error) {
    throw new StartError(
      `The folder for temporary files, ${tmpdir()}, can't be written ` +
        `(${errorCode(error)}): set TMPDIR to one that can.`,
    );
  }
}

function touch(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // The folder was removed manually. A sleeping dashboard then needs a restart.
  }
}
