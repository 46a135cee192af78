import { expect, test, vi } from "vitest";
import { log } from "#lib/base/log.ts";
import { defineJob, type Job } from "./job.ts";
import { runJobs, takeTurn } from "./run-jobs.ts";

const never = new AbortController().signal;

/** A job with this many batches left. Each batch adds the job's kind to `done`. */
function counted(kind: string, batches: number, done: string[]): Job {
  let left = batches;
  return defineJob({
    kind,
    async lock(use) {
      if (left === 0) return false;
      left -= 1;
      done.push(await use(kind));
      return true;
    },
    workBatch: async (name: string) => name,
  });
}

function failing(kind: string): Job {
  return { kind, work: () => Promise.reject(new Error("broken")) };
}

test("jobs take turns, a batch each, until none has work", async () => {
  const done: string[] = [];
  await takeTurn({ jobs: [counted("a", 3, done), counted("b", 1, done)] }, 0, never);
  expect(done).toEqual(["a", "b", "a", "a"]);
});

test("each turn begins with another job", async () => {
  const done: string[] = [];
  const jobs = [counted("a", 1, done), counted("b", 1, done), counted("c", 1, done)];
  await takeTurn({ jobs }, 4, never);
  expect(done).toEqual(["b", "c", "a"]);
});

test("a job that fails doesn't keep the others from their work", async () => {
  const done: string[] = [];
  await takeTurn({ jobs: [failing("a"), counted("b", 2, done)] }, 0, never);
  expect(done).toEqual(["b", "b"]);
});

/** An error as Node, `pg`, or Prisma make it. */
const errorOf = (fields: object, message = "x") => Object.assign(new Error(message), fields);
const ofDriver = (originalCode: string) =>
  errorOf({ code: "P2010", meta: { driverAdapterError: { cause: { originalCode } } } });

test.each<[string, Error, string | null]>([
  ["a port that no one listens on", errorOf({ code: "ECONNREFUSED" }), "ECONNREFUSED"],
  ["a name that can't be found", errorOf({ code: "ENOTFOUND" }), "ENOTFOUND"],
  ["a socket file that isn't there", errorOf({ code: "ENOENT" }), "ENOENT"],
  ["a connection that ends", errorOf({}, "Connection terminated unexpectedly"), "Error"],
  ["a shutdown", ofDriver("57P01"), "57P01"],
  ["a start", errorOf({ code: "57P03" }), "57P03"],
  ["too many connections", errorOf({ code: "53300" }), "53300"],
  ["a full disk", ofDriver("53100"), "53100"],
  ["a standby", errorOf({ code: "25006" }), "25006"],
  ["a pool without room", errorOf({ code: "P2024" }), "P2024"],
  ["a wrong value", ofDriver("22P02"), null],
  ["a missing table", errorOf({ code: "42P01" }), null],
  ["a mistake of ours", new TypeError("x is undefined"), null],
])("a job that waits for the database logs it once, without a stack: %s", async (...row) => {
  const [what, error, reason] = row;
  const logged = vi.spyOn(log, "warn").mockReturnValue();
  const job: Job = { kind: what, work: () => Promise.reject(error) };
  for (let turn = 0; turn < 13; turn += 1) await takeTurn({ jobs: [job] }, turn, never);
  const lines = logged.mock.calls;
  logged.mockRestore();
  if (reason === null) {
    expect(lines).toHaveLength(13);
    expect(lines[0]).toEqual(["job.failed", { kind: what, error }]);
  } else
    expect(lines).toEqual([
      ["job.waits_for_database", expect.objectContaining({ kind: what, reason, count: 1 })],
    ]);
});

test("a turn begins no batch after its budget", async () => {
  const done: string[] = [];
  await takeTurn({ jobs: [counted("a", 5, done)], budgetMs: 0 }, 0, never);
  expect(done).toEqual([]);
});

test("stopping waits for the batch at work, and begins no other", async () => {
  const started = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let batches = 0;
  const slow = defineJob({
    kind: "slow",
    async lock(use) {
      await use(undefined);
      return true;
    },
    async workBatch() {
      started.resolve();
      await end.promise;
      batches += 1;
    },
  });
  const running = runJobs([{ everyMs: 60_000, startsAtOnce: true, jobs: [slow] }]);
  await started.promise;
  const stopped = running.stop();
  end.resolve();
  await stopped;
  expect(batches).toBe(1);
});
