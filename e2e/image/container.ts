import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tools } from "#scripts/image/tools.ts";
import type { Image } from "./image.ts";

type ContainerOptions = {
  readonly image: Image;
  /** For its configuration and the state of crun. */
  readonly folder: string;
  readonly name: string;
  /** Mounted at /data. */
  readonly volume: string;
  /** Mounted at /run/secrets, read-only. */
  readonly secrets: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
};

export type Container = {
  /** The output so far. */
  printed(): string;
  /** Undefined while it runs. */
  exitCode(): number | undefined;
  /** Runs a command in it, as `docker exec` does. */
  exec(...command: readonly string[]): { readonly code: number; readonly output: string };
  /** Sends the image's stop signal, and waits. Returns the exit code. */
  stop(): Promise<number>;
};

/**
 * Runs the image with a read-only root, without capabilities, in namespaces of its own, except the network's: the
 * test talks to it over loopback.
 */
export function startContainer(tools: Tools, options: ContainerOptions): Container {
  const { image, folder, name } = options;
  const bundle = join(folder, name);
  mkdirSync(bundle);
  const config = toRuntimeConfig(options);
  writeFileSync(join(bundle, "config.json"), JSON.stringify(config));
  const crun = [...withoutHybrid, "--root", join(folder, "crun"), "--cgroup-manager=disabled"];
  const child = spawn("unshare", [...crun, "run", "--bundle", bundle, name], {
    env: tools.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk) => {
      printed += chunk;
    });
  const exited = waitForEnd(child);
  return {
    printed: () => printed,
    exitCode: () => child.exitCode ?? undefined,
    exec(...args) {
      const file = join(bundle, "process.json");
      writeFileSync(file, JSON.stringify({ ...config.process, args }));
      const ran = spawnSync("unshare", [...crun, "exec", "--process", file, name], {
        env: tools.env,
        encoding: "utf8",
      });
      return { code: ran.status ?? 1, output: ran.stdout + ran.stderr };
    },
    async stop() {
      if (child.exitCode === null)
        tools.run("unshare", ...crun, "kill", name, image.config.StopSignal);
      return await exited;
    },
  };
}

/** Debian's crun refuses machines with both versions of cgroups, so it doesn't see the second one. */
const withoutHybrid = [
  ...["--mount", "--propagation", "private", "sh", "-c"],
  'umount /sys/fs/cgroup/unified 2>/dev/null; exec crun "$@"',
  "crun",
];

async function waitForEnd(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

/** The configuration of the runtime, after the image's. */
function toRuntimeConfig({ image, name, volume, secrets, env, args = [] }: ContainerOptions) {
  const { User, Env, Entrypoint, WorkingDir } = image.config;
  const [uid, gid] = User.split(":").map(Number);
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  return {
    ociVersion: "1.0.2",
    hostname: name,
    root: { path: image.root, readonly: true },
    process: {
      user: { uid, gid },
      cwd: WorkingDir,
      args: [...Entrypoint, ...args],
      env: [...Env, ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      capabilities: none,
      noNewPrivileges: true,
    },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      temporary("/dev", "mode=755"),
      temporary("/dev/shm", "mode=1777", "nodev"),
      temporary("/tmp", "mode=1777", "nodev"),
      bind(volume, "/data", "rw"),
      bind(secrets, "/run/secrets", "ro"),
    ],
    linux: {
      namespaces: ["pid", "mount", "ipc", "uts"].map((type) => ({ type })),
      maskedPaths: ["/proc/kcore", "/proc/keys", "/proc/timer_list"],
      readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    },
  };
}

const temporary = (destination: string, ...options: string[]) => ({
  destination,
  type: "tmpfs",
  source: "tmpfs",
  options: ["nosuid", "size=64m", ...options],
});

const bind = (source: string, destination: string, access: "ro" | "rw") => ({
  destination,
  type: "bind",
  source,
  options: ["bind", "nosuid", "nodev", access],
});
