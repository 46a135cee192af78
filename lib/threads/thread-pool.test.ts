import { afterAll, expect, test } from "vitest";
import type { TestTasks } from "./testing/test-thread.ts";
import { ThreadPool } from "./thread-pool.ts";

const script = new URL("testing/test-thread.ts", import.meta.url);
const pool = new ThreadPool<TestTasks>({ script, memoryMb: 64 });
const one = new ThreadPool<TestTasks>({ script, maxThreads: 1, idleMs: 1 });
afterAll(() => Promise.all([pool.close(), one.close()]));

const soon = { accountId: "a", limitsMs: { run: 20_000, hang: 100 } };

test("endless work is stopped at its phase's limit, and the next job gets a new thread", async () => {
  const tooSlow = { kind: "too_slow", phase: "hang", limitMs: 100 };
  expect(await pool.run("hang", "loop", soon)).toEqual(tooSlow);
  expect(await pool.run("hang", "pattern", soon)).toEqual(tooSlow);
  expect(await pool.run("double", 21, soon)).toEqual({ kind: "done", value: 42 });
});

test("a thread that gets no processor time has more time by the clock, but not without limit", {
  tags: "variant",
}, async () => {
  const limitsMs = { run: 50 };
  expect(await pool.run("starve", 150, { accountId: "a", limitsMs })).toEqual({
    kind: "done",
    value: "fed",
  });
  const starved = await pool.run("starve", 60_000, { accountId: "a", limitsMs });
  expect(starved).toEqual({ kind: "too_slow", phase: "run", limitMs: 50 });
});

test("work that fills its memory ends its thread and not the process", async () => {
  expect(await pool.run("fill", undefined, soon)).toEqual({ kind: "too_large", limitMb: 64 });
  expect(await pool.run("double", 1, soon)).toEqual({ kind: "done", value: 2 });
});

test("a task that throws, or input that can't be copied, rejects, and leaves the thread unchanged", async () => {
  await expect(pool.run("fail", "on purpose", soon)).rejects.toThrow("on purpose");
  await expect(pool.run("double", (() => 1) as unknown as number, soon)).rejects.toThrow(
    "could not be cloned",
  );
  expect(await pool.run("double", 2, soon)).toEqual({ kind: "done", value: 4 });
});

test("accounts take turns by the time that they use, and so do the actions of an account", async () => {
  const order: string[] = [];
  const run = (accountId: string, actionId = "") =>
    one
      .run("spin", actionId === "slow" ? 30 : 1, { ...soon, accountId, actionId })
      .then(() => void order.push(accountId + actionId));
  const slow = Array.from({ length: 6 }, () => run("a", "slow"));
  await Promise.all([...slow, run("a", "quick"), run("a", "quick"), run("b"), run("b"), run("c")]);
  // The first began before the others came. The account that used it waits for the other two, and
  // its action for the other one.
  expect(order.slice(0, 6)).toEqual(["aslow", "b", "c", "b", "aquick", "aquick"]);
});

test("slow work leaves a thread for work that isn't, once it is known to be slow", {
  tags: "variant",
}, async () => {
  const slow = { limitsMs: { run: 20_000 }, accountId: "s", actionId: "slow" };
  const quick = { ...soon, accountId: "s", actionId: "quick" };
  await pool.run("spin", 150, slow);
  await pool.run("double", 1, quick);
  const gate = new Int32Array(new SharedArrayBuffer(4));
  let ended = 0;
  const attack = Array.from({ length: 6 }, () =>
    pool.run("wait", gate, slow).then(() => (ended += 1)),
  );
  // Until the gate is open, slow work ends nowhere.
  for (let count = 0; count < 3; count += 1) await pool.run("double", 1, quick);
  expect(ended).toBe(0);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await Promise.all(attack);
});

test("work that isn't needed any more never starts, and the others do", async () => {
  const aborting = new AbortController();
  const { signal } = aborting;
  const ran: string[] = [];
  const run = (name: string, more = {}) =>
    one.run("spin", 20, { ...soon, ...more }).then(() => void ran.push(name));
  const first = run("first");
  const dropped = [run("dropped", { signal }), run("dropped", { signal })];
  const last = run("last");
  expect(one.waiting).toBe(3);
  aborting.abort(new Error("pointless"));
  for (const one of dropped) await expect(one).rejects.toThrow("pointless");
  await Promise.all([first, last]);
  await expect(run("late", { signal })).rejects.toThrow("pointless");
  expect(ran).toEqual(["first", "last"]);
});

test("a thread can't see the environment, and ends when idle", async () => {
  const outcome = await one.run("environment", undefined, soon);
  expect(outcome.kind === "done" && outcome.value.filter((name) => !/^NODE_/.test(name))).toEqual(
    [],
  );
  await expect.poll(() => one.size).toBe(0);
});
