import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns one hash of names and contents of files and folders. Missing ones count as absent. Tests
 * don't count.
 */
export function hashFiles(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((start) => listFiles(root, start))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function listFiles(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined || path === "lib/db/generated" || /\.test\.tsx?$/.test(path)) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
