import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { SystemUser } from "#server/system/service-user.ts";
import { postgresProcessEnv } from "./initialize.ts";
import { type PostgresSettings, toFlags } from "./settings.ts";

export type PostmasterOptions = {
  readonly program: string;
  readonly user: SystemUser | undefined;
  readonly cluster: string;
  readonly port: number;
  readonly logFile: string;
  readonly settings: PostgresSettings;
};

/** One running PostgreSQL server process. */
export type Postmaster = {
  /** Settles when the server has ended, for any reason. */
  readonly exited: Promise<void>;
  /** Ends sessions, flushes everything, and stops. After `patienceMs` it forces the stop. */
  stop(patienceMs?: number): Promise<void>;
  /** Stops at once without flushing, if there is no time. The next start recovers from the log. */
  abandon(): void;
};

/**
 * Starts the server and waits until it accepts connections. It gets its own session, so that Ctrl-C
 * in the terminal reaches Catchment and not the database. No other server of the cluster may run.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  takePidFile(options.cluster);
  const child = spawnPostmaster(options);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const postmaster = {
    exited,
    stop: (patienceMs = 60_000) => stop(child, exited, patienceMs),
    abandon: () => void child.kill("SIGQUIT"),
  };
  await waitUntilReady(options, child, postmaster);
  return postmaster;
}

/**
 * Writes the id of this process over that of a killed server. PostgreSQL doesn't start while a process has
 * the id in the file, and after the restart of a container or a machine any other one may have it. It
 * passes over the id of its parent, and still looks for sessions of the killed server.
 */
function takePidFile(cluster: string): void {
  const path = pidFileOf(cluster);
  if (!existsSync(path)) return;
  const [, ...rest] = readFileSync(path, "utf8").split("\n");
  const file = openSync(path, "r+");
  try {
    // In one piece: without any content, PostgreSQL would take the file for that of a starting server.
    ftruncateSync(file, writeSync(file, [process.pid, ...rest].join("\n"), 0));
  } finally {
    closeSync(file);
  }
}

const readyTimeoutMs = 120_000;

function spawnPostmaster({
  program,
  user,
  cluster,
  port,
  logFile,
  settings,
}: PostmasterOptions): ChildProcess {
  const log = openLog(logFile);
  try {
    return spawn(program, ["-D", cluster, "-p", String(port), ...toFlags(settings)], {
      ...user,
      cwd: "/",
      env: postgresProcessEnv,
      detached: true,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

const maxLogBytes = 10 * 1024 * 1024;

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

/** Recovery after a crash may take long. The server's pid file says when it is done. */
async function waitUntilReady(
  options: PostmasterOptions,
  child: ChildProcess,
  postmaster: Postmaster,
): Promise<void> {
  let ended = false;
  void postmaster.exited.then(() => {
    ended = true;
  });
  const deadline = performance.now() + readyTimeoutMs;
  while (!isReady(options.cluster, child.pid)) {
    if (ended) throw new Error(`PostgreSQL did not start: ${lastLines(options.logFile)}`);
    if (performance.now() > deadline) {
      await postmaster.stop(5_000);
      throw new Error(
        `PostgreSQL was not ready after ${readyTimeoutMs / 1000} s: ${lastLines(options.logFile)}`,
      );
    }
    await delay(10);
  }
}

/** The eighth line of `postmaster.pid` is the server's state, the first its process id. */
function isReady(cluster: string, pid: number | undefined): boolean {
  const lines = readPidFile(cluster);
  return lines[0] === String(pid) && lines[7] === "ready";
}

export function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(pidFileOf(cluster), "utf8")
      .split("\n")
      .map((line) => line.trim());
  } catch {
    return [];
  }
}

function pidFileOf(cluster: string): string {
  return join(cluster, "postmaster.pid");
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" | ");
}

async function stop(child: ChildProcess, exited: Promise<void>, patienceMs: number): Promise<void> {
  // PostgreSQL's fast and immediate shutdown, then SIGKILL.
  for (const [signal, waitMs] of [
    ["SIGINT", patienceMs],
    ["SIGQUIT", 10_000],
    ["SIGKILL", 10_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await withTimeLimit(exited, waitMs, () => {});
  }
}
