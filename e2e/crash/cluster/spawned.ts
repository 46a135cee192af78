import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { killAtOnce, listTree } from "#e2e/harness/process-tree.ts";
import type { SystemUser } from "#server/system/service-user.ts";

export type SpawnOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Undefined: the user of this process. */
  readonly user: SystemUser | undefined;
};

/** A program in a process group of its own, so that Ctrl-C reaches only us. */
export type Spawned = {
  readonly pid: number;
  hasEnded(): boolean;
  /** Ends it in order, and with `kill -9` after some time. */
  stop(): Promise<void>;
  kill(): Promise<void>;
};

export function start(
  program: string,
  args: readonly string[],
  { env, logFile, user }: SpawnOptions,
): Spawned {
  const log = openSync(logFile, "a");
  const child = spawn(program, args, {
    ...user,
    cwd: "/",
    env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.on("error", () => {});
  const hasEnded = () =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const forget = killAtExit(() => (hasEnded() ? undefined : child.pid));
  child.once("exit", forget);
  return {
    pid: child.pid ?? 0,
    hasEnded,
    stop: () => stop(child, hasEnded),
    async kill() {
      if (hasEnded()) return;
      const exited = once(child, "exit");
      killAtOnce(await listTree(child.pid ?? 0));
      await exited;
    },
  };
}

type FindPid = () => number | undefined;
const atExit = new Set<FindPid>();

/** Kills a process if this one ends before it, also on Ctrl-C. @returns what takes that back */
export function killAtExit(findPid: FindPid): () => void {
  if (process.listenerCount("exit", killAll) === 0) {
    process.on("exit", killAll);
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, exitSoon);
  }
  atExit.add(findPid);
  return () => atExit.delete(findPid);
}

function killAll(): void {
  killAtOnce([...atExit].flatMap((findPid) => findPid() ?? []).map((pid) => ({ pid })));
}

/** A server that runs beside is ended by its own harness, which exits then. */
function exitSoon(): void {
  setTimeout(() => process.exit(130), 5_000);
}

const stopMs = 20_000;

async function stop(child: ChildProcess, hasEnded: () => boolean): Promise<void> {
  if (hasEnded()) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => void listTree(child.pid ?? 0).then(killAtOnce), stopMs);
  await exited;
  clearTimeout(timer);
}
