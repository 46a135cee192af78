import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isAlive } from "#server/testing/wait-for.ts";
import { killLeftovers, stopOrphan } from "./orphan.ts";

let folder: string;
let cluster: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "catchment-orphan-"));
  cluster = join(folder, "postgres");
  mkdirSync(cluster);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const onLinux = test.skipIf(platform() !== "linux");

onLinux("a leftover that ends just before it is killed is no error", async () => {
  const pid = await startServer();
  endBeforeSignal(pid);
  expect(killLeftovers(cluster)).toBe(1);
  expect(isAlive(pid)).toBe(false);
});

onLinux("nor is a server that ends just before it is told to", async () => {
  const pid = await startServer();
  writeFileSync(join(cluster, "postmaster.pid"), `${pid}\n`);
  endBeforeSignal(pid);
  expect(await stopOrphan(cluster)).toBe(true);
});

/** A process that is found as one of PostgreSQL's. A shell is its parent, so that it is gone once it has ended. */
async function startServer(): Promise<number> {
  const sleep = execFileSync("sh", ["-c", "readlink -f $(command -v sleep)"], { encoding: "utf8" });
  const program = join(cluster, "postgres");
  copyFileSync(sleep.trim(), program);
  const shell = spawn("sh", ["-c", `"${program}" 600 & echo $!; wait`], { cwd: cluster });
  const [line] = await shell.stdout.take(1).toArray();
  const pid = Number(String(line));
  // Until then it is a copy of the shell.
  const name = () => readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  await expect.poll(name).toBe("postgres");
  return pid;
}

/** Ends the process at the moment at which it is about to get its first signal. */
function endBeforeSignal(pid: number): void {
  const { kill } = process;
  vi.spyOn(process, "kill").mockImplementationOnce((target, signal) => {
    kill.call(process, pid, "SIGKILL");
    execFileSync("sh", ["-c", `while kill -0 ${pid} 2> /dev/null; do :; done`]);
    return kill.call(process, target, signal);
  });
}
