import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new folder in the system's temporary folder. As root, it must be accessible to the database's
 * own user.
 */
export function makeScratchFolder(name: string, root = tmpdir()): string {
  const folder = mkdtempSync(join(root, `catchment-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Makes a folder in memory if there is space, so that nothing waits for a disk that others use too.
 */
export function makeMemoryFolder(name: string): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return makeScratchFolder(name);
  const { bavail, bsize } = statfsSync(memory);
  return makeScratchFolder(name, bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir());
}
