import { expect, test } from "vitest";
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
