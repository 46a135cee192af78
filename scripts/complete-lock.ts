/**
 * Names the packages for other systems in package-lock.json, with their checksums.
 *
 * npm leaves out an optional package that its registry doesn't have yet, and `npm ci` then rejects
 * the file.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

type Package = {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly cpu?: readonly string[];
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Lock = { readonly packages: Readonly<Record<string, Package>> };

const lockFile = "package-lock.json";

if (import.meta.main) {
  const lock: Lock = JSON.parse(readFileSync(lockFile, "utf8"));
  const all = [...Object.entries(lock.packages), ...Object.entries(findMissing(lock))];
  const packages = Object.fromEntries(
    all.map(withChecksum).toSorted(([a], [b]) => a.localeCompare(b, "en")),
  );
  writeFileSync(lockFile, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
}

/** Asks the registry. The checksum comes after the version, as npm writes it. */
function withChecksum([path, entry]: [string, Package]): [string, Package] {
  const { version, integrity, ...rest } = entry;
  if (path === "" || integrity !== undefined || version === undefined) return [path, entry];
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const asked = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"]);
  return [path, { version, integrity: asked.toString().trim(), ...rest }];
}

export function findMissing(lock: Lock): Readonly<Record<string, Package>> {
  const missing: Record<string, Package> = {};
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages))
    for (const [name, version] of Object.entries(optionalDependencies))
      if (!isListed(lock, path, name))
        missing[`node_modules/${name}`] = toEntry(name, version, dev);
  return missing;
}

/** Node looks in the package's own folder, then in each folder around it. */
function isListed({ packages }: Lock, path: string, name: string): boolean {
  const ends = [...path.matchAll(/(?=\/node_modules\/)|$/g)].map(({ index }) => index);
  const around = ["", ...ends.map((end) => `${path.slice(0, end)}/`)];
  return around.some((folder) => packages[`${folder}node_modules/${name}`] !== undefined);
}

/** The name of such a package ends with its system, processor, and C library. */
function toEntry(name: string, version: string, dev: true | undefined): Package {
  const parts = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(-.+)?$/.exec(name);
  const [, os, cpu = "wasm32", rest = ""] = parts ?? [];
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(os === "linux" && { libc: [rest.includes("musl") ? "musl" : "glibc"] }),
    optional: true,
    ...(os !== undefined && { os: [os] }),
  };
}
