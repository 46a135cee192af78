import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type WorkerProcess = {
  /** `kill -9`. Settles when the process is gone, with the instant of the kill as Unix time. */
  kill(): Promise<number>;
  /** Lets it finish its calls. */
  stop(): Promise<void>;
};

type WorkerOptions = {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly origin: string;
  readonly logFile: string;
  /** Modules that it loads first. See `mutants/`. */
  readonly modules?: readonly string[];
  /** The folder of another version that is set up. Omitted: this version. */
  readonly checkout?: string | undefined;
};

const ownCheckout = fileURLToPath(new URL("../../..", import.meta.url));

/** A worker without a supervisor, which would pause longer after each kill. */
export async function startWorkerProcess({
  modules = [],
  checkout = ownCheckout,
  ...options
}: WorkerOptions): Promise<WorkerProcess> {
  const { PATH, HOME, TMPDIR } = process.env;
  const log = openSync(options.logFile, "a");
  const child = spawn(process.execPath, [join(checkout, "server/roles/worker.ts")], {
    cwd: checkout,
    env: {
      PATH,
      HOME,
      TMPDIR,
      NODE_ENV: "production",
      NODE_COMPILE_CACHE: join(checkout, "node_modules/.cache/compile"),
      NODE_OPTIONS: modules.map((module) => `--import=${module}`).join(" "),
      DATABASE_URL: options.databaseUrl,
      CATCHMENT_SECRET_KEY: options.secretKey,
      CATCHMENT_PUBLIC_URL: options.origin,
      CATCHMENT_EGRESS_ALLOW: "127.0.0.1/32",
    },
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const exited = once(child, "exit");
  await waitUntilReady(child, exited);
  return {
    kill: async () => {
      child.kill("SIGKILL");
      const killedAtMs = Date.now();
      await exited;
      return killedAtMs;
    },
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function waitUntilReady(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  const ready = once(child, "message").then(() => "ready");
  const late = delay(60_000, "was not ready within 60 s", { ref: false });
  const outcome = await Promise.race([ready, exited.then(() => "ended"), late]);
  if (outcome === "ready") return;
  child.kill("SIGKILL");
  throw new Error(`A worker ${outcome}`);
}
