import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchDebianPackage } from "./debian-package.ts";

/**
 * Debian's programs that build and run images without a service: buildah builds, crun runs, and mmdebstrap makes the
 * base images, so that no registry of images is needed. skopeo pushes the chart. What this machine has is used; the
 * others are only unpacked.
 */
const programs = ["buildah", "crun", "mmdebstrap", "skopeo"];
/**
 * The libraries that they need, each with its package. They are installed where they are missing: buildah runs
 * itself for each RUN, without the environment that could name a folder of libraries.
 */
const libraries: Readonly<Record<string, string>> = {
  "libgpgme.so.11": "libgpgme11",
  "libassuan.so.0": "libassuan0",
  "libdevmapper.so.1.02.1": "libdevmapper1.02.1",
  "libyajl.so.2": "libyajl2",
};

/** Debian's folder of libraries. */
export const multiarch = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";

export type Tools = {
  /** The environment in which the programs are found. */
  readonly env: NodeJS.ProcessEnv;
  /** The file that says which images are trusted: all. Each is checked by its digest. */
  readonly policy: string;
  /** The output of a program. Throws if it fails. */
  run(program: string, ...args: readonly string[]): string;
  /** The same, with what it prints shown at once. */
  show(program: string, ...args: readonly string[]): void;
  buildah(...args: readonly string[]): string;
  /** Builds the image of a folder with a Dockerfile. */
  build(tag: string, context: string, ...more: readonly string[]): void;
};

/** @param folder for images and temporary files, which are as large as the images */
export function prepareTools(folder: string): Tools {
  const missing = programs.filter((name) => !isInstalled(name));
  if (missing.length > 0) installLibraries();
  const roots = missing.map(fetchDebianPackage);
  const folders = roots.map((root) => join(root, "usr/bin"));
  const temporary = join(folder, "tmp");
  mkdirSync(temporary, { recursive: true });
  const policy = join(folder, "policy.json");
  writeFileSync(policy, JSON.stringify({ default: [{ type: "insecureAcceptAnything" }] }));
  const env = {
    ...process.env,
    PATH: [...folders, process.env.PATH].join(":"),
    TMPDIR: temporary,
  };
  const store = ["--root", join(folder, "images"), "--runroot", join(folder, "state")];
  const start = (program: string, args: readonly string[], isShown: boolean) => {
    const options = { env, encoding: "utf8", maxBuffer: 64e6 } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      ...options,
      stdio: isShown ? "inherit" : "pipe",
    });
    if (status === 0) return stdout ?? "";
    throw new Error(`${program} ${args.join(" ")}: ${error ?? ""}${stdout ?? ""}${stderr ?? ""}`);
  };
  return {
    env,
    policy,
    run: (program, ...args) => start(program, args, false).trim(),
    show: (program, ...args) => void start(program, args, true),
    buildah: (...args) => start("buildah", [...store, ...args], false).trim(),
    build(tag, context, ...more) {
      // With layers, what two processors have in common is built once.
      const how = ["--isolation", "chroot", "--format", "docker", "--pull-never", "--layers"];
      // A build that fails leaves no container.
      how.push("--force-rm");
      const args = [...store, "build", ...how, "--signature-policy", policy, ...more];
      start("buildah", [...args, "--tag", tag, context], true);
    },
  };
}

/** Removes the folder of `prepareTools`. A build that was interrupted has left mounts in it. */
export function removeTools(folder: string): void {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const paths = mounts.map((line) => line.split(" ")[1] ?? "");
  for (const path of paths.filter((each) => each.startsWith(`${folder}/`)).toReversed())
    spawnSync("umount", [path]);
  rmSync(folder, { recursive: true, force: true });
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, program)));
}

function installLibraries(): void {
  const known = execFileSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" });
  const missing = Object.keys(libraries).filter((name) => !known.includes(`${name} `));
  if (missing.length === 0) return;
  const packages = missing.map((name) => libraries[name] ?? name);
  const args = ["-qq", "install", "--yes", "--no-install-recommends", ...packages];
  execFileSync("apt-get", args, { stdio: "inherit" });
}
