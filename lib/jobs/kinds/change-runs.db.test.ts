import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import {
  type ActionQueue,
  createQueueFixture,
  type QueueFixture,
} from "#lib/db/queue/testing/queue-fixture.ts";
import { getBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { endRuns, readRuns } from "#lib/db/testing/test-runs.ts";
import { cancelBulkJob } from "#lib/services/bulk-jobs.ts";
import { cancelRuns, retryRuns } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workAll, workOnce } from "../testing/work.ts";
import { changeRunsJob } from "./change-runs.ts";

let queue: QueueFixture;
beforeAll(async () => {
  queue = await createQueueFixture();
});
afterAll(async () => await queue?.[Symbol.asyncDispose]());

const of = ({ accountId }: ActionQueue) => testContext(queue.db, accountId);

async function addFailed(
  actionQueue: ActionQueue,
  count: number,
  reason = "attempts_exhausted: x",
): Promise<string[]> {
  const ids = await queue.addRuns(actionQueue, count);
  await fail(ids, reason);
  return ids;
}

async function fail(ids: readonly string[], reason = "attempts_exhausted: x"): Promise<void> {
  const [reasonCode = "", reasonDetail = ""] = reason.split(": ");
  await endRuns(queue.db, ids, { reasonCode, reasonDetail });
}

async function countStates(ids: readonly string[]): Promise<Record<string, number>> {
  const runs = (await readRuns(queue.db)).filter(({ id }) => ids.includes(id));
  return Object.fromEntries(
    Object.entries(Object.groupBy(runs, ({ state }) => state)).map(([state, of]) => [
      state,
      of.length,
    ]),
  );
}

async function work(): Promise<void> {
  await workAll(changeRunsJob(queue.db, "retry"), changeRunsJob(queue.db, "cancel"));
}

it("retries what the filter shows, in batches, and reports how many", async () => {
  const [actionQueue, other] = [await queue.addActionQueue(), await queue.addActionQueue()];
  const [wanted, others] = [await addFailed(actionQueue, 1_203), await addFailed(other, 3)];
  const otherReason = await addFailed(actionQueue, 2, "mapping_failed: y");
  const filter = {
    actionId: actionQueue.targetId,
    status: "failed",
    reason: "attempts_exhausted",
  } as const;
  const job = await retryRuns(of(actionQueue), { filter });
  expect(job).toMatchObject({ status: "running", total: 1_203, changedCount: 0 });
  await workOnce(changeRunsJob(queue.db, "retry"));
  const halfway = await getBulkJob(queue.db, actionQueue.accountId, job.id);
  expect(halfway).toMatchObject({ status: "running" });
  expect(halfway.changedCount).toBeGreaterThan(400);
  expect(halfway.changedCount).toBeLessThanOrEqual(500);
  await work();
  expect(await getBulkJob(queue.db, actionQueue.accountId, job.id)).toMatchObject({
    status: "finished",
    changedCount: 1_203,
  });
  expect(await countStates(wanted)).toEqual({ queued: 1_203 });
  expect(await countStates([...others, ...otherReason])).toEqual({ failed: 5 });
});

it("retries each run once, even if it fails again meanwhile, and leaves later failures alone", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 700);
  const later = await queue.addRuns(actionQueue, 2);
  const job = await retryRuns(of(actionQueue), {
    filter: { actionId: actionQueue.targetId, status: "failed" },
  });
  await workOnce(changeRunsJob(queue.db, "retry"));
  const retried = await queue.db.queuedRun.findMany({ where: { id: { in: ids } } });
  await fail([...retried.map(({ id }) => id), ...later]);
  // This holds even if the job forgets which runs it has seen.
  await queue.db
    .$executeRaw`update bulk_jobs set seen_before = '00000000-0000-0000-0000-000000000000' where id = ${job.id}::uuid`;
  await work();
  expect(await getBulkJob(queue.db, actionQueue.accountId, job.id)).toMatchObject({
    changedCount: 700,
  });
  expect(await countStates(later)).toEqual({ failed: 2 });
  const rows = (await readRuns(queue.db)).filter(({ id }) => ids.includes(id));
  expect(new Set(rows.map(({ attemptCount, state }) => `${state} ${attemptCount}`))).toEqual(
    new Set(["failed 2", "queued 1"]),
  );
});

it("retries the oldest first, in batches and with a rate", async () => {
  const [actionQueue, slow] = [await queue.addActionQueue(), await queue.addActionQueue()];
  const ids = (await addFailed(actionQueue, 1_200)).sort();
  const slowIds = (await addFailed(slow, 7)).sort();
  const failedOf = ({ targetId }: ActionQueue) =>
    ({ actionId: targetId, status: "failed" }) as const;
  await retryRuns(of(actionQueue), { filter: failedOf(actionQueue) });
  for (const retried of [500, 1_000]) {
    await workOnce(changeRunsJob(queue.db, "retry"));
    expect(await readQueued(actionQueue)).toEqual(ids.slice(0, retried));
  }
  await work();
  expect(await readQueued(actionQueue)).toEqual(ids);
  await retryRuns(of(slow), { filter: failedOf(slow), ratePerMinute: 1 });
  await workOnce(changeRunsJob(queue.db, "retry"));
  expect(await readQueued(slow)).toEqual(slowIds.slice(0, 1));
});

async function readQueued({ targetId }: ActionQueue): Promise<string[]> {
  const rows = await queue.db.queuedRun.findMany({ where: { targetId }, orderBy: { id: "asc" } });
  return rows.map(({ id }) => id);
}

it("two concurrent processes change each run once", async () => {
  const actionQueue = await queue.addActionQueue();
  await addFailed(actionQueue, 1_600);
  const filter = { actionId: actionQueue.targetId, status: "failed" } as const;
  const jobs = [
    await retryRuns(of(actionQueue), { filter }),
    await retryRuns(of(actionQueue), { filter }),
  ];
  await Promise.all([work(), work(), work()]);
  await work();
  const done = await Promise.all(
    jobs.map(({ id }) => getBulkJob(queue.db, actionQueue.accountId, id)),
  );
  expect(done.reduce((sum, { changedCount }) => sum + changedCount, 0)).toBe(1_600);
});

it("a canceled job stops where it is", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 900);
  const filter = { actionId: actionQueue.targetId, status: "failed" } as const;
  const job = await retryRuns(of(actionQueue), { filter });
  await workOnce(changeRunsJob(queue.db, "retry"));
  const cancelled = await cancelBulkJob(of(actionQueue), { id: job.id });
  expect(cancelled.status).toBe("cancelled");
  await work();
  expect((await countStates(ids)).queued).toBe(cancelled.changedCount);
  await expect(cancelBulkJob(of(actionQueue), { id: job.id })).rejects.toMatchObject({
    code: "conflict",
  });
});

it("cancels queued runs, which are found by that reason, and leaves runs in flight alone", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await queue.addRuns(actionQueue, 6);
  const claimed = (await queue.claim({ freeSlots: 2 })).filter(
    ({ targetId }) => targetId === actionQueue.targetId,
  );
  await cancelRuns(of(actionQueue), {
    filter: { actionId: actionQueue.targetId, status: "queued" },
  });
  await work();
  expect(await countStates(ids)).toEqual({
    cancelled: 6 - claimed.length,
    ...(claimed.length > 0 ? { queued: claimed.length } : {}),
  });
  const filter = { actionId: actionQueue.targetId, reason: "cancelled" };
  const { items } = await listRuns(queue.db, actionQueue.accountId, filter, { limit: 10 });
  expect(items).toHaveLength(6 - claimed.length);
});

it("cancels as queued the runs that a job has put back into the queue", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 5);
  const { targetId: actionId } = actionQueue;
  await retryRuns(of(actionQueue), { filter: { actionId, status: "failed" } });
  await work();
  const job = await cancelRuns(of(actionQueue), { filter: { actionId, status: "queued" } });
  expect(job.total).toBe(5);
  await work();
  expect(await countStates(ids)).toEqual({ cancelled: 5 });
});

it("never starts more jobs at once than the limit", async () => {
  const actionQueue = await queue.addActionQueue();
  await addFailed(actionQueue, 1);
  const ask = () => retryRuns(of(actionQueue), { filter: { status: "failed" } });
  const asked = await Promise.allSettled(Array.from({ length: 8 }, ask));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await work();
});

it("starts nothing if no run matches, and never matches another account's runs", async () => {
  const [actionQueue, other] = [await queue.addActionQueue(), await queue.addActionQueue()];
  await addFailed(other, 2);
  for (const filter of [
    { actionId: other.targetId },
    { hookId: other.hookId },
    { actionId: "x" },
    { hookId: newId() },
  ]) {
    await expect(
      retryRuns(of(actionQueue), { filter: { ...filter, status: "failed" } }),
    ).rejects.toMatchObject({ code: "conflict" });
  }
});
