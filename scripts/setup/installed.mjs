import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Checks if node_modules contains what package-lock.json requires. npm writes its own record when
 * an install is complete, so an interrupted install doesn't count, and a developer's does.
 *
 * @param withDevelopment true if the packages for tests and checks are required too
 */
export function isInstalled(root, { withDevelopment }) {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record) || !existsSync(join(root, "node_modules", ".bin", "node"))) return false;
  const wanted = readPackages(join(root, "package-lock.json"));
  const found = readPackages(record);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    if (entry.dev === true && !withDevelopment) return true;
    const installed = found[path];
    // A package omitted on this machine is a binary for other systems.
    if (installed === undefined) return entry.optional === true;
    if (installed.version !== entry.version) return false;
    // An entry has no checksum if the writer's registry lacked this binary for another system.
    return entry.integrity === undefined || installed.integrity === entry.integrity;
  });
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/** Checks for a developer's installation: an install without those packages would remove them. */
export function hasDevelopmentPackages(root) {
  return existsSync(join(root, "node_modules", ".bin", "vitest"));
}
