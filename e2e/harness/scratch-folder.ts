import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/**
 * A new folder in the system's temporary folder, which is removed when this process ends. As root, it
 * must be accessible to the database's own user.
 */
export function makeScratchFolder(name: string, root = tmpdir()): string {
  const folder = mkdtempSync(join(root, `catchment-${name}-`));
  chmodSync(folder, 0o755);
  if (folders.size === 0) process.once("exit", removeAll);
  folders.add(folder);
  return folder;
}

/** Leaves a folder where it is, to be looked at. */
export function keepScratchFolder(folder: string): void {
  folders.delete(folder);
}

/** A server that was killed just now may still write. */
function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
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
