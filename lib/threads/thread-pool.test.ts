import { afterAll, expect, test } from "vitest";
import type { TestTasks } from "./testing/test-thread.ts";
import { ThreadPool } from "./thread-pool.ts";

const script = new URL("testing/test-thread.ts", import.meta.url);
const pool = new ThreadPool<TestTasks>({ script, memoryMb: 64 });
const one = new ThreadPool<TestTasks>({ script, maxThreads: 1, idleMs: 1 });
afterAll(() => Promise.all([pool.close(), one.close()]));

const soon = { accountId: "a", limitsMs: { run: 20_000, hang: 100 } };

test("what never ends is stopped at the limit of its phase, and the next piece of work gets a new thread", async () => {
  const tooSlow = { kind: "too_slow", phase: "hang", limitMs: 100 };
  expect(await pool.run("hang", "loop", soon)).toEqual(tooSlow);
  expect(await pool.run("hang", "pattern", soon)).toEqual(tooSlow);
  expect(await pool.run("double", 21, soon)).toEqual({ kind: "done", value: 42 });
});

test("a thread that gets no processor is given more time by the clock, and not for ever", async () => {
  const limitsMs = { run: 50 };
  expect(await pool.run("starve", 150, { accountId: "a", limitsMs })).toEqual({
    kind: "done",
    value: "fed",
  });
  const starved = await pool.run("starve", 60_000, { accountId: "a", limitsMs });
  expect(starved).toEqual({ kind: "too_slow", phase: "run", limitMs: 50 });
});

test("what fills its memory ends its thread and not the process", async () => {
  expect(await pool.run("fill", undefined, soon)).toEqual({ kind: "too_large", limitMb: 64 });
  expect(await pool.run("double", 1, soon)).toEqual({ kind: "done", value: 2 });
});

test("what a task throws, or can't be copied to it, rejects, and leaves the thread as it was", async () => {
  await expect(pool.run("fail", "on purpose", soon)).rejects.toThrow("on purpose");
  await expect(pool.run("double", (() => 1) as unknown as number, soon)).rejects.toThrow(
    "could not be cloned",
  );
  expect(await pool.run("double", 2, soon)).toEqual({ kind: "done", value: 4 });
});

test("accounts take turns: work of one does not wait for all of another's", async () => {
  const order: string[] = [];
  const run = (accountId: string) =>
    one.run("double", 1, { ...soon, accountId }).then(() => void order.push(accountId));
  await Promise.all([run("a"), run("a"), run("a"), run("a"), run("b"), run("c")]);
  expect(order).toEqual(["a", "a", "b", "c", "a", "a"]);
});

test("a thread knows nothing of the environment, and does not stay when there is nothing to do", async () => {
  const outcome = await one.run("environment", undefined, soon);
  expect(outcome.kind === "done" && outcome.value.filter((name) => !/^NODE_/.test(name))).toEqual(
    [],
  );
  await expect.poll(() => one.size).toBe(0);
});
