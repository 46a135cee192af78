import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { finishRuns, type NextState } from "#lib/db/queue/finish-runs.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { cancelRun, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { listRuns } from "./list-runs.ts";
import { getRun } from "./runs.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

/** Claims due runs and ends them, each with one more attempt. */
async function work(choose: (number: number) => NextState): Promise<number> {
  const leaseId = newId();
  const runs = await queue.claim({ leaseId });
  await finishRuns(
    queue.db,
    runs.map((run) => ({
      ...run,
      attemptCount: run.attemptNumber,
      next: choose(run.attemptNumber),
      attempt: {
        id: newId(),
        number: run.attemptNumber,
        startedAtMs: Date.now(),
        durationMs: 1,
        requestJson: '{"method":"POST"}',
        responseJson: '{"status":500}',
        errorCode: null,
        errorMessage: null,
      },
    })),
  );
  return runs.length;
}

const failed: NextState = { state: "failed", reason: { code: "not_retried", detail: "No." } };

it("keeps each attempt once and in order, however often a run is retried", async () => {
  const { accountId, ...of } = await queue.addActionQueue();
  const [id = ""] = await queue.addRuns({ accountId, ...of }, 1);
  for (let number = 1; number <= 3; number += 1) {
    expect(await work(() => failed)).toBe(1);
    const run = await getRun(queue.db, accountId, id);
    expect(run).toMatchObject({ status: "failed", attemptCount: number, nextAttemptAt: null });
    expect(run.attempts.map((attempt) => attempt.number)).toEqual(
      Array.from({ length: number }, (_, at) => at + 1),
    );
    expect(run.attempts.at(-1)?.responseJson).toBe('{"status":500}');
    const retried = await retryRun(testContext(queue.db, accountId), { id });
    expect(retried).toMatchObject({ status: "queued", reason: null, attempts: run.attempts });
    const row = await queue.db.queuedRun.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ attemptCount: number, attemptsBefore: number, bodySize: 2 });
  }
  expect(await cancelRun(testContext(queue.db, accountId), { id })).toMatchObject({
    status: "cancelled",
    attemptCount: 3,
    attempts: [{ number: 1 }, { number: 2 }, { number: 3 }],
  });
});

it("no reader misses a run or sees it twice while runs end, are retried, and are canceled", async () => {
  const actionQueue = await queue.addActionQueue();
  const { accountId, targetId: actionId } = actionQueue;
  const ids = (await queue.addRuns(actionQueue, 30)).toSorted();
  let isMoving = true;
  let moved = 0;
  const worker = async () => {
    while (isMoving)
      moved += await work((number) =>
        number % 3 === 0
          ? { state: "retrying", reason: { code: "timeout", detail: "Slow." }, delayMs: 0 }
          : failed,
      );
  };
  // Several changes run at once over the same runs. Most lose, with a conflict.
  const owner = async (seed: number) => {
    for (let n = seed; isMoving; n += 7) {
      const id = ids[n % ids.length] ?? "";
      const change = n % 5 === 0 ? cancelRun : retryRun;
      await change(testContext(queue.db, accountId), { id }).catch((error: unknown) =>
        expect(error).toMatchObject({ code: "conflict" }),
      );
    }
  };
  const moving = [worker(), owner(0), owner(0), owner(3)];
  try {
    for (let n = 0; n < 60; n += 1) {
      const filter = n % 2 === 0 ? {} : { actionId };
      const { items } = await listRuns(queue.db, accountId, filter, { limit: 50 });
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids);
      const id = ids[n % ids.length] ?? "";
      const { attempts, attemptCount } = await getRun(queue.db, accountId, id);
      const numbers = attempts.filter(({ late }) => !late).map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: attemptCount }, (_, at) => at + 1));
    }
  } finally {
    isMoving = false;
    await Promise.all(moving);
  }
  expect(moved).toBeGreaterThan(30);
  expect((await readRuns(queue.db, { accountId })).map(({ id }) => id)).toEqual(ids);
});
