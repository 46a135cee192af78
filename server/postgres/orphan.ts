import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../start-error.ts";
import { readPidFile } from "./postmaster.ts";

/**
 * Stops a PostgreSQL that a killed Catchment left running on this cluster. The caller holds the data folder's lock,
 * so it is nobody's any more. Returns whether there was one.
 */
export async function stopOrphan(cluster: string): Promise<boolean> {
  const pid = Number(readPidFile(cluster)[0]);
  if (!isServerOf(pid, cluster)) return false;
  for (const [signal, waitMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 10_000],
  ] as const) {
    process.kill(pid, signal);
    if (await hasEnded(pid, cluster, waitMs)) return true;
  }
  throw new StartError(
    `A PostgreSQL of an earlier run (process ${pid}) does not stop: end it, then start Catchment again.`,
  );
}

async function hasEnded(pid: number, cluster: string, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (isServerOf(pid, cluster)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/** A process id alone may belong to anybody by now; its command line names the cluster. */
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
