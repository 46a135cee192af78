import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive, waitFor } from "#server/testing/wait-for.ts";
import type { ChildSpec } from "./child-process.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

const script = fileURLToPath(new URL("../testing/fixture-role.ts", import.meta.url));
let folder: string;
let supervisor: Supervisor;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "catchment-supervisor-"));
  supervisor = createSupervisor({ firstPauseMs: 10 });
});

afterEach(() => {
  supervisor.kill();
  rmSync(folder, { recursive: true, force: true });
});

function spec(name: string, env: Record<string, string> = {}): ChildSpec {
  const fixtureEnv = {
    PATH: process.env.PATH,
    // Without it, each child loads what strips its types: three fifths of its start.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    FIXTURE_JOURNAL: join(folder, "journal"),
    FIXTURE_NAME: name,
    ...env,
  };
  return { name, script, env: fixtureEnv, drainMs: 5_000 };
}

type Entry = { readonly name: string; readonly what: string; readonly pid: number };

function journal(): Entry[] {
  if (!existsSync(join(folder, "journal"))) return [];
  return readFileSync(join(folder, "journal"), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", what = "", pid = ""] = line.split(" ");
      return { name, what, pid: Number(pid) };
    });
}

function startsOf(name: string): Entry[] {
  return journal().filter((entry) => entry.name === name && entry.what === "started");
}

test("children are drained in the requested order, and none is left", async () => {
  await Promise.all([
    supervisor.start(spec("web")),
    supervisor.start(spec("worker")),
    supervisor.start(spec("catch")),
  ]);
  await supervisor.stop(["catch", "worker"]);
  const stopped = journal().filter((entry) => entry.what === "stopped");
  expect(stopped.map((entry) => entry.name)).toEqual(["catch", "worker", "web"]);
  expect(journal().some((entry) => isAlive(entry.pid))).toBe(false);
});

test("a child that the system can't start for a moment comes back", async () => {
  const usual = spec("catch");
  let tries = 0;
  await supervisor.start({
    ...usual,
    // The second time, spawning throws, as it does without memory.
    get env() {
      tries += 1;
      return tries === 2 ? { ...usual.env, WRONG: "\0" } : usual.env;
    },
  });
  process.kill(startsOf("catch")[0]?.pid ?? 0, "SIGKILL");
  await waitFor("another one", () => startsOf("catch").length === 2);
  expect(tries).toBe(3);
});

test("children that are stopped together drain at the same time", async () => {
  const slow = { ...spec("catch-1", { FIXTURE_HANGS: "yes" }), drainMs: 60_000 };
  await Promise.all([
    supervisor.start(slow),
    supervisor.start(spec("catch-2")),
    supervisor.start(spec("worker", { FIXTURE_LISTENS: "yes" })),
  ]);
  const [hanging] = startsOf("catch-1");
  if (hanging === undefined) throw new Error("It has been started");
  let stoppedWhileHanging = false;
  const stopping = supervisor.stop([["catch-1", "catch-2"], "worker"]);
  await waitFor("the second one's end", () => {
    stoppedWhileHanging = isAlive(hanging.pid);
    return journal().some(({ name, what }) => name === "catch-2" && what === "stopped");
  });
  expect(stoppedWhileHanging).toBe(true);
  // One that stops later knows it already.
  await waitFor("the worker to be told", () => journal().some(({ what }) => what === "told"));
  process.kill(hanging.pid, "SIGKILL");
  await stopping;
  expect(journal().at(-1)).toMatchObject({ name: "worker", what: "stopped" });
});

test("a killed child is restarted", async () => {
  await supervisor.start(spec("worker"));
  const first = await waitFor("the first start", () => startsOf("worker")[0]);
  process.kill(first.pid, "SIGKILL");
  await waitFor("a second start", () => startsOf("worker").length === 2);
  await supervisor.stop([]);
  expect(journal().at(-1)).toMatchObject({ name: "worker", what: "stopped" });
});

test("a child that hangs during a restart is killed and started again", {
  tags: "variant",
}, async () => {
  supervisor = createSupervisor({ firstPauseMs: 10, readyTimeoutMs: 4_000 });
  await supervisor.start(spec("worker"));
  const stuck = join(folder, "journal.stuck");
  writeFileSync(stuck, "");
  process.kill(startsOf("worker")[0]?.pid ?? 0, "SIGKILL");
  const hanging = await waitFor("the second start", () => startsOf("worker")[1]);
  rmSync(stuck);
  await waitFor("its end", () => !isAlive(hanging.pid));
  await waitFor("a third start", () => startsOf("worker").length === 3);
  await supervisor.stop([]);
  expect(journal().at(-1)).toMatchObject({ name: "worker", what: "stopped" });
});

test("a sleeping child stays away until another one wakes it", async () => {
  await supervisor.start(spec("web", { FIXTURE_SLEEPS: "yes" }));
  const first = await waitFor("the first start", () => startsOf("web")[0]);
  await waitFor("its sleep", () => !isAlive(first.pid));
  await delay(200);
  expect(startsOf("web")).toHaveLength(1);
  await supervisor.start(spec("catch", { FIXTURE_WAKES: "web" }));
  await waitFor("a second start", () => startsOf("web").length >= 2);
});

test("a child that hangs on its way to sleep is killed and can be woken", async () => {
  await supervisor.start({
    ...spec("web", { FIXTURE_SLEEPS: "yes", FIXTURE_HANGS: "yes" }),
    drainMs: 100,
  });
  const { pid } = await waitFor("the start", () => startsOf("web")[0]);
  await waitFor("its end", () => !isAlive(pid));
  await waitFor("a second start", () => {
    supervisor.wake("web");
    return startsOf("web").length >= 2;
  });
});

test("stopping doesn't wait for sleeping children", async () => {
  await supervisor.start(spec("web", { FIXTURE_SLEEPS: "yes" }));
  const { pid } = await waitFor("the start", () => startsOf("web")[0]);
  await waitFor("its sleep", () => !isAlive(pid));
  await supervisor.stop([]);
  supervisor.wake("web");
  await delay(100);
  expect(startsOf("web")).toHaveLength(1);
});

test("a child without which nothing can be caught fails the start if it ends before it is ready", async () => {
  const failing = supervisor.start(spec("catch", { FIXTURE_FAILS: "yes" }), { endsStart: true });
  await expect(failing).rejects.toThrow(/catch process ended with code 1/);
});

test("any other child that ends before it is ready is started again, also the first time", async () => {
  let tries = 0;
  const usual = spec("web");
  const isReady = await supervisor.start({
    ...usual,
    get env() {
      tries += 1;
      return tries === 1 ? { ...usual.env, FIXTURE_FAILS: "yes" } : usual.env;
    },
  });
  expect(isReady).toBe(false);
  await waitFor("the second start", () => tries > 1 && startsOf("web").length === 1);
});

test.each([
  ["web", false],
  ["catch", true],
])(
  "%s that hangs at the first start is started again, and ends nothing",
  async (name, endsStart) => {
    supervisor = createSupervisor({ firstPauseMs: 10, readyTimeoutMs: 4_000 });
    const stuck = join(folder, "journal.stuck");
    writeFileSync(stuck, "");
    const starting = supervisor.start(spec(name), { endsStart });
    const [hanging] = await waitFor("the start", () => {
      const starts = startsOf(name);
      return starts.length === 0 ? undefined : starts;
    });
    expect(await starting).toBe(false);
    rmSync(stuck);
    await waitFor("its end", () => !isAlive(hanging?.pid ?? 0));
    await waitFor("another start", () => startsOf(name).length > 1);
  },
);

test("a child that takes longer than the limit has more time at each try", {
  tags: "variant",
}, async () => {
  supervisor = createSupervisor({ firstPauseMs: 10, readyTimeoutMs: 1_000 });
  expect(await supervisor.start(spec("web", { FIXTURE_SLOW_MS: "1500" }))).toBe(false);
  await waitFor("a try that lasts", () => journal().some(({ what }) => what === "was"));
});

test("a child that doesn't drain in time is killed", async () => {
  await supervisor.start({ ...spec("worker", { FIXTURE_HANGS: "yes" }), drainMs: 100 });
  await supervisor.stop([]);
  expect(startsOf("worker").some((entry) => isAlive(entry.pid))).toBe(false);
});

test("children end by themselves when their parent process is killed", {
  tags: "variant",
}, async () => {
  const source = `
    const { createSupervisor } = await import(${JSON.stringify(new URL("supervisor.ts", import.meta.url).href)});
    await createSupervisor().start(${JSON.stringify(spec("worker"))});
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: "ignore",
  });
  const child = await waitFor("the child", () => startsOf("worker")[0]);
  parent.kill("SIGKILL");
  await waitFor("the child's end", () => !isAlive(child.pid));
});

test("a child that is restarted is drained, stays down while others change, and comes back as told", async () => {
  await Promise.all([supervisor.start(spec("web")), supervisor.start(spec("worker"))]);
  await supervisor.restart(spec("web", { FIXTURE_NAME: "web-2" }), () =>
    supervisor.restart(spec("worker", { FIXTURE_NAME: "worker-2" })),
  );
  const lines = journal().map(({ name, what }) => `${name} ${what}`);
  expect(lines.slice(2)).toEqual([
    "web stopped",
    "worker stopped",
    "worker-2 started",
    "web-2 started",
  ]);
  // From then on, it is started again as it was last.
  process.kill(startsOf("web-2")[0]?.pid ?? 0, "SIGKILL");
  await waitFor("the second start", () => startsOf("web-2").length === 2);
  await supervisor.stop(["web", "worker"]);
  for (const { pid } of journal()) expect(isAlive(pid)).toBe(false);
});

test("a child that was drained comes back even if the others can't be changed", async () => {
  await supervisor.start(spec("web"));
  const failing = () => Promise.reject(new Error("the others failed"));
  await expect(supervisor.restart(spec("web"), failing)).rejects.toThrow("the others failed");
  await waitFor("a second start", () => startsOf("web").length === 2);
  await supervisor.stop(["web"]);
  for (const { pid } of journal()) expect(isAlive(pid)).toBe(false);
});

test("a child that is restarted while it waits after a crash is there once", async () => {
  supervisor = createSupervisor({ firstPauseMs: 500 });
  await supervisor.start(spec("web"));
  const first = await waitFor("the first start", () => startsOf("web")[0]);
  process.kill(first.pid, "SIGKILL");
  await waitFor("its end", () => !isAlive(first.pid));
  await supervisor.restart(spec("web"));
  await delay(800);
  expect(startsOf("web").filter(({ pid }) => isAlive(pid))).toHaveLength(1);
  await supervisor.stop(["web"]);
  for (const { pid } of journal()) expect(isAlive(pid)).toBe(false);
});
