import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder in the system's temporary one. Run as root, the database's own user has to be able to pass through it. */
export function makeScratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `catchment-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
