import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { cancelBulkJob, createBulkJob, getBulkJob } from "./bulk-jobs.ts";
import { listRuns } from "./list-runs.ts";
import { createQueueFixture, type Lane, type QueueFixture } from "./queue/testing/queue-fixture.ts";
import { workBulkJobs } from "./work-bulk-jobs.ts";

let queue: QueueFixture;
beforeAll(async () => {
  queue = await createQueueFixture();
});
afterAll(async () => await queue?.[Symbol.asyncDispose]());

async function addFailed(lane: Lane, count: number, reason = "attempts_exhausted: x"): Promise<string[]> {
  const ids = await queue.addRuns(lane, count);
  await fail(ids, reason);
  return ids;
}

async function fail(ids: readonly string[], reason = "attempts_exhausted: x"): Promise<void> {
  await queue.db.$executeRaw`
    update runs set state = 'failed', reason = ${reason}, finished_at = now(), attempt_count = attempt_count + 1, lease_id = null
    where id = any (${[...ids]}::uuid[])`;
}

async function countStates(ids: readonly string[]): Promise<Record<string, number>> {
  const rows = await queue.db.$queryRaw<{ state: string; count: number }[]>`
    select state, count(*)::int as count from runs where id = any (${[...ids]}::uuid[]) group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function work(): Promise<void> {
  while (await workBulkJobs(queue.db));
}

it("retries what the filter shows, in batches, and says how many", async () => {
  const [lane, other] = [await queue.addLane(), await queue.addLane()];
  const [wanted, others] = [await addFailed(lane, 1_203), await addFailed(other, 3)];
  const otherReason = await addFailed(lane, 2, "mapping_failed: y");
  const filter = { actionId: lane.actionId, status: "failed", reason: "attempts_exhausted" } as const;
  const job = await createBulkJob(queue.db, lane.accountId, "retry", filter);
  expect(job).toMatchObject({ status: "running", total: 1_203, changedCount: 0 });
  await workBulkJobs(queue.db);
  const halfway = await getBulkJob(queue.db, lane.accountId, job.id);
  expect(halfway).toMatchObject({ status: "running" });
  expect(halfway.changedCount).toBeGreaterThan(400);
  expect(halfway.changedCount).toBeLessThanOrEqual(500);
  await work();
  expect(await getBulkJob(queue.db, lane.accountId, job.id)).toMatchObject({
    status: "finished",
    changedCount: 1_203,
  });
  expect(await countStates(wanted)).toEqual({ retrying: 1_203 });
  expect(await countStates([...others, ...otherReason])).toEqual({ failed: 5 });
});

it("a run is retried once, although it fails again while the job is under way; what fails later is left", async () => {
  const lane = await queue.addLane();
  const ids = await addFailed(lane, 700);
  const later = await queue.addRuns(lane, 2);
  const job = await createBulkJob(queue.db, lane.accountId, "retry", {
    actionId: lane.actionId,
    status: "failed",
  });
  await workBulkJobs(queue.db);
  const retried = await queue.db.run.findMany({ where: { id: { in: ids }, state: "retrying" } });
  await fail([...retried.map(({ id }) => id), ...later]);
  // Even where what it has seen was forgotten.
  await queue.db
    .$executeRaw`update bulk_jobs set seen_before = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where id = ${job.id}::uuid`;
  await work();
  expect(await getBulkJob(queue.db, lane.accountId, job.id)).toMatchObject({ changedCount: 700 });
  expect(await countStates(later)).toEqual({ failed: 2 });
  const rows = await queue.db.run.findMany({ where: { id: { in: ids } } });
  expect(new Set(rows.map(({ attemptCount, state }) => `${state} ${attemptCount}`))).toEqual(
    new Set(["failed 2", "retrying 1"]),
  );
});

it("two processes that work at once change each run once", async () => {
  const lane = await queue.addLane();
  await addFailed(lane, 1_600);
  const filter = { actionId: lane.actionId, status: "failed" } as const;
  const jobs = [
    await createBulkJob(queue.db, lane.accountId, "retry", filter),
    await createBulkJob(queue.db, lane.accountId, "retry", filter),
  ];
  await Promise.all([work(), work(), work()]);
  await work();
  const done = await Promise.all(jobs.map(({ id }) => getBulkJob(queue.db, lane.accountId, id)));
  expect(done.reduce((sum, { changedCount }) => sum + changedCount, 0)).toBe(1_600);
});

it("a cancelled job stops where it is", async () => {
  const lane = await queue.addLane();
  const ids = await addFailed(lane, 900);
  const filter = { actionId: lane.actionId, status: "failed" } as const;
  const job = await createBulkJob(queue.db, lane.accountId, "retry", filter);
  await workBulkJobs(queue.db);
  const cancelled = await cancelBulkJob(queue.db, lane.accountId, job.id);
  expect(cancelled.status).toBe("cancelled");
  await work();
  expect((await countStates(ids)).retrying).toBe(cancelled.changedCount);
  await expect(cancelBulkJob(queue.db, lane.accountId, job.id)).rejects.toMatchObject({ code: "conflict" });
});

it("queued runs are cancelled and found by that reason, those under way are left alone", async () => {
  const lane = await queue.addLane();
  const ids = await queue.addRuns(lane, 6);
  const claimed = (await queue.claim({ freeSlots: 2 })).filter(({ actionId }) => actionId === lane.actionId);
  await createBulkJob(queue.db, lane.accountId, "cancel", { actionId: lane.actionId, status: "queued" });
  await work();
  expect(await countStates(ids)).toEqual({
    cancelled: 6 - claimed.length,
    ...(claimed.length > 0 ? { queued: claimed.length } : {}),
  });
  const filter = { actionId: lane.actionId, reason: "cancelled" };
  const { items } = await listRuns(queue.db, lane.accountId, filter, { limit: 10 });
  expect(items).toHaveLength(6 - claimed.length);
});

it("where no run fits nothing is begun, and another account's runs never fit", async () => {
  const [lane, other] = [await queue.addLane(), await queue.addLane()];
  await addFailed(other, 2);
  for (const filter of [
    { actionId: other.actionId },
    { hookId: other.hookId },
    { actionId: "x" },
    { hookId: newId() },
  ]) {
    await expect(
      createBulkJob(queue.db, lane.accountId, "retry", { ...filter, status: "failed" }),
    ).rejects.toMatchObject({ code: "conflict" });
  }
});
