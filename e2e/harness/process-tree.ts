import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);

export type TreeProcess = {
  readonly pid: number;
  readonly parentPid: number;
  readonly role: "supervisor" | "catch" | "worker" | "web" | "postgres" | "other";
  readonly rssMb: number;
};

/** A process and its descendants, without ended children that have not been waited for. */
export async function listTree(rootPid: number): Promise<TreeProcess[]> {
  const { stdout } = await run("ps", ["-A", "-ww", "-o", "pid=,ppid=,rss=,stat=,args="], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const all = stdout.split("\n").flatMap(parseLine);
  const byParent = Map.groupBy(all, ({ parentPid }) => parentPid);
  const found = all.filter(({ pid }) => pid === rootPid);
  for (const process of found) found.push(...(byParent.get(process.pid) ?? []));
  return found;
}

function parseLine(line: string): TreeProcess[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
  if (match === null) return [];
  const [, pid, parentPid, rssKb, state = "", command = ""] = match;
  if (state.startsWith("Z")) return [];
  return [
    {
      pid: Number(pid),
      parentPid: Number(parentPid),
      role: readRole(command),
      rssMb: Number(rssKb) / 1024,
    },
  ];
}

function readRole(command: string): TreeProcess["role"] {
  const script = /\bserver\/(?:start|roles)\/(start|catch|worker|web)\.ts\b/.exec(command)?.[1];
  switch (script) {
    case "start":
      return "supervisor";
    case "catch":
    case "worker":
    case "web":
      return script;
    default:
      return /postgres/.test(command) ? "postgres" : "other";
  }
}

/** Kills processes with `kill -9`. Skips those that have ended meanwhile. */
export function killAtOnce(processes: readonly { readonly pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
}

/** CPU time used so far, user and system together. Null if the system has no `/proc`. */
export function readCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // proc_pid_stat(5): utime and stime are fields 14 and 15, in ticks of 10 ms on every Linux
    // there is.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}
