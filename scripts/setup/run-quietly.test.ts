import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFailed, test } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "catchment-setup-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends what setup runs and its child processes",
  async (signal) => {
    const pidFile = join(folder, "pid");
    const script = `sleep 600 & echo $! > "$0"; wait`;
    const source = `
      import { runQuietly } from ${JSON.stringify(new URL("run-quietly.mjs", import.meta.url).href)};
      await runQuietly("/bin/sh", ["-c", ${JSON.stringify(script)}, ${JSON.stringify(pidFile)}]);`;
    const setup = spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: "ignore",
    });
    const exited = once(setup, "exit");
    await expect.poll(() => readFileSync(pidFile, "utf8")).toMatch(/^\d+\n$/);
    const pid = Number(readFileSync(pidFile, "utf8"));
    onTestFailed(() => void process.kill(pid));
    setup.kill(signal);
    expect(await exited).toEqual([null, signal]);
    await expect.poll(() => readState(pid)).toMatch(/^Z?$/);
  },
);

/**
 * Reads a process's state. Empty once it is gone. `Z` if it has ended but has not been waited for.
 */
function readState(pid: number): string {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim().slice(0, 1);
}
