import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new folder in the system's temporary folder. As root, it must be accessible to the database's
 * own user.
 */
export function makeScratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `catchment-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
