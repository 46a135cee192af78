import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
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
