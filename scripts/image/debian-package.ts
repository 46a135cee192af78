import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../node_modules/.cache/debian", import.meta.url));

/**
 * The contents of a package of Debian, in a folder. Downloaded once, from the mirrors that this
 * machine trusts. Needs no root, and installs nothing.
 */
export function fetchDebianPackage(name: string): string {
  const folder = join(cache, name);
  const contents = join(folder, "contents");
  if (existsSync(contents)) return contents;
  mkdirSync(folder, { recursive: true });
  // Root would download as a user that can't write into the folder, and says so.
  const args = ["-qq", "-o", "APT::Sandbox::User=", "download", name];
  execFileSync("apt-get", args, { cwd: folder, stdio: "inherit" });
  const file = readdirSync(folder).find((entry) => entry.endsWith(".deb"));
  if (file === undefined) throw new Error(`apt-get downloaded nothing for ${name}.`);
  execFileSync("dpkg-deb", ["-x", join(folder, file), contents]);
  return contents;
}

/**
 * The contents of packages, and of those that they need and this machine doesn't have, together in one
 * folder.
 */
export function unpackDebianPackages(named: readonly string[]): string {
  const names = [...new Set([...named, ...listMissing(named)])];
  const contents = names.map(fetchDebianPackage);
  const root = join(cache, `together-${named[0]}-${names.length}`);
  if (existsSync(root)) return root;
  const unfinished = `${root}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const folder of contents)
    for (const part of readdirSync(folder))
      cpSync(join(folder, part), join(unfinished, part), {
        recursive: true,
        verbatimSymlinks: true,
      });
  renameSync(unfinished, root);
  return root;
}

/** The packages that apt would install for these. */
function listMissing(names: readonly string[]): readonly string[] {
  const args = ["install", "--simulate", "--no-install-recommends", ...names];
  const planned = execFileSync("apt-get", args, { encoding: "utf8", maxBuffer: 64e6 });
  return [...planned.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []);
}
