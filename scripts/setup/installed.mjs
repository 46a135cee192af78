import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes its own record of what it installed when it
 * is through, so an install that was broken off doesn't count, and one that a developer made does.
 */
export function isInstalled(root) {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record) || !existsSync(join(root, "node_modules", ".bin", "node"))) return false;
  const wanted = readPackages(join(root, "package-lock.json"));
  const found = readPackages(record);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const installed = found[path];
    // Left out on this machine: binaries for other systems.
    if (installed === undefined) return entry.optional === true;
    return installed.version === entry.version && installed.integrity === entry.integrity;
  });
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}
