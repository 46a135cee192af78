import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive, waitFor } from "#server/testing/wait-for.ts";
import { beginDashboardBuild, followDashboardBuild } from "./dashboard-build.ts";

let folder: string;
let pending: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "catchment-build-"));
  pending = join(folder, "dashboard.json");
  writeFileSync(pending, "{}");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function begin(source: string) {
  const script = join(folder, "build.mjs");
  writeFileSync(script, source);
  return beginDashboardBuild(script, pending);
}

async function follow(source: string) {
  const lines: string[] = [];
  let restarts = 0;
  const build = begin(source);
  if (build === undefined) throw new Error("nothing is built");
  const banner = {
    ...{ step: () => Promise.reject(new Error("no step")), facts: () => {} },
    line: (text: string) => void lines.push(text),
  };
  await followDashboardBuild(build, banner, async () => void restarts++);
  return { said: lines.join("\n"), restarts };
}

test("nothing is built if set-up has left nothing", () => {
  rmSync(pending);
  expect(begin("process.exit(0)")).toBeUndefined();
});

test("the web process is started again once the dashboard is built", async () => {
  const { said, restarts } = await follow("process.disconnect()");
  expect(restarts).toBe(1);
  expect(said).toMatch(/work already\.\n {2}✓ Dashboard \(\d+\.\d s\)$/);
});

test("a build that fails says why, and the web process goes on", async () => {
  const { said, restarts } = await follow("console.error('no space'); process.exit(1)");
  expect(restarts).toBe(0);
  expect(said).toMatch(/no space\n+ {2}✗ The dashboard could not be built/);
});

test("stopped, or without us, the build ends", async () => {
  const pidFile = join(folder, "pid");
  const build = begin(`
    import { writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
    process.on("disconnect", () => process.exit(1));
    setInterval(() => {}, 1_000);`);
  const readPid = () => {
    try {
      return Number(readFileSync(pidFile, "utf8"));
    } catch {
      return 0;
    }
  };
  await waitFor("the build", () => readPid() > 0);
  await build?.stop();
  expect(await build?.ended).toBeNull();
  expect(isAlive(readPid())).toBe(false);
});
