import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tools } from "#scripts/image/tools.ts";

/** The settings of the Dockerfile for running it. */
type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
};

export type Image = {
  readonly config: ImageConfig;
  /** Its files. */
  readonly root: string;
  remove(): void;
};

export function mountImage(tools: Tools, tag: string): Image {
  const { Docker } = JSON.parse(tools.buildah("inspect", "--type", "image", tag)) as {
    readonly Docker: { readonly config: ImageConfig };
  };
  const container = tools.buildah("from", "--pull-never", tag);
  const root = tools.buildah("mount", container);
  return { config: Docker.config, root, remove: () => void tools.buildah("rm", container) };
}

export function measureMegabytes(path: string): number {
  const [bytes = ""] = execFileSync("du", ["-sbx", path], { encoding: "utf8" }).split("\t");
  return Math.round(Number(bytes) / 1e6);
}

type InstalledPackage = { readonly name: string; readonly version: string };

/** The packages of Debian in it, which scanners compare with the advisories. */
export function listDebianPackages(root: string): readonly InstalledPackage[] {
  const status = readFileSync(join(root, "var/lib/dpkg/status"), "utf8");
  return status.split("\n\n").flatMap((entry) => {
    const field = (key: string) => new RegExp(`^${key}: (.*)$`, "m").exec(entry)?.[1];
    const [name, version] = [field("Package"), field("Version")];
    return name === undefined || version === undefined ? [] : [{ name, version }];
  });
}

/** The packages of npm in it. */
export function listNpmPackages(root: string): readonly InstalledPackage[] {
  const args = [
    join(root, "app/node_modules"),
    "-name",
    "package.json",
    "-path",
    "*/node_modules/*",
  ];
  const files = execFileSync("find", args, { encoding: "utf8", maxBuffer: 64e6 })
    .trim()
    .split("\n");
  const isPackage = /\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;
  return files
    .filter((file) => isPackage.test(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")) as Partial<InstalledPackage>)
    .flatMap(({ name, version }) =>
      name === undefined || version === undefined ? [] : [{ name, version }],
    )
    .sort((one, other) => one.name.localeCompare(other.name));
}
