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

test("a thread that gets no processor time has more time by the clock, but not without limit", async () => {
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

test("accounts take turns: one's work doesn't wait for all of another's", async () => {
  const order: string[] = [];
  const run = (accountId: string) =>
    one.run("double", 1, { ...soon, accountId }).then(() => void order.push(accountId));
  await Promise.all([run("a"), run("a"), run("a"), run("a"), run("b"), run("c")]);
  expect(order).toEqual(["a", "a", "b", "c", "a", "a"]);
});

test("a thread can't see the environment, and ends when idle", async () => {
  const outcome = await one.run("environment", undefined, soon);
  expect(outcome.kind === "done" && outcome.value.filter((name) => !/^NODE_/.test(name))).toEqual(
    [],
  );
  await expect.poll(() => one.size).toBe(0);
});
