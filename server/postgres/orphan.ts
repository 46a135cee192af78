import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { platform } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "#lib/base/errors.ts";
import { StartError } from "#server/system/start-error.ts";
import { readPidFile } from "./postmaster.ts";

/**
 * Stops a PostgreSQL that a killed Catchment left running on this cluster. The caller holds the
 * data folder's lock, so no other process uses it. Returns whether there was one.
 */
export async function stopOrphan(cluster: string): Promise<boolean> {
  const pid = Number(readPidFile(cluster)[0]);
  if (!isServerOf(pid, cluster)) return false;
  for (const [signal, waitMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 10_000],
  ] as const) {
    sendSignal(pid, signal);
    if (await hasEnded(pid, cluster, waitMs)) return true;
  }
  throw new StartError(
    `A PostgreSQL of an earlier run (process ${pid}) does not stop: end it, then start Catchment again.`,
  );
}

/**
 * Kills leftover sessions of a server whose main process is gone. They usually end within an
 * instant, but one that waits for a lock of a killed session waits forever and holds the shared
 * memory that the next server needs. Only call it while no server of this cluster runs.
 * PostgreSQL's processes are found by their working directory (Linux only).
 */
export function killLeftovers(cluster: string): number {
  if (platform() !== "linux" || !existsSync(cluster)) return 0;
  // The system knows no links in the path of a working directory.
  const folder = realpathSync(cluster);
  const left = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && worksIn(Number(name), folder),
  );
  for (const pid of left) sendSignal(Number(pid), "SIGKILL");
  return left.length;
}

/** A process that has ended since it was found needs no signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === folder &&
      readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres"
    );
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return false;
  }
}

async function hasEnded(pid: number, cluster: string, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (isServerOf(pid, cluster)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/** A process id may have been reused. The command line names the cluster. */
function isServerOf(pid: number, cluster: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  return readCommand(pid).includes(cluster);
}

function readCommand(pid: number): string {
  try {
    if (platform() === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}
