import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type ActionQueue,
  createQueueFixture,
  type QueueFixture,
} from "#lib/db/queue/testing/queue-fixture.ts";
import { getBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { resumeBulkJob } from "#lib/services/bulk-jobs.ts";
import { retryRuns } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workAll } from "../testing/work.ts";
import { changeRunsJob } from "./change-runs.ts";
import { countRunsJob } from "./count-runs.ts";

let queue: QueueFixture;
beforeAll(async () => {
  queue = await createQueueFixture();
});
afterAll(async () => await queue?.[Symbol.asyncDispose]());

const of = ({ accountId }: ActionQueue) => testContext(queue.db, accountId);
const fail = (ids: readonly string[]) => endRuns(queue.db, ids);

async function addFailed(actionQueue: ActionQueue, count: number): Promise<string[]> {
  const ids = await queue.addRuns(actionQueue, count);
  await fail(ids);
  return ids.toSorted();
}

/** The ids of those that are open. */
const listOpen = async (ids: readonly string[]) =>
  (await queue.db.queuedRun.findMany({ where: { id: { in: [...ids] } } })).map(({ id }) => id);

/** Does all that the job may do now, although it waits for a second. */
async function work(): Promise<void> {
  await queue.db.$executeRaw`update bulk_jobs set next_at = null`;
  await workAll(changeRunsJob(queue.db, "retry"));
}

/** Counts the outcomes until none is left to be found. */
async function countAll(): Promise<void> {
  await queue.db.$executeRaw`update bulk_jobs set count_at = now() - interval '1 ms'`;
  await workAll(countRunsJob(queue.db));
}

it("counts what became of its runs, once each, and lists exactly those", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 12);
  const { accountId, targetId: actionId } = actionQueue;
  const filter = { actionId, status: "failed" } as const;
  const { id: jobId } = await retryRuns(of(actionQueue), { filter });
  await work();
  const read = () => getBulkJob(queue.db, accountId, jobId);
  await countAll();
  expect(await read()).toMatchObject({ status: "finished", openCount: 12, failedCount: 0 });
  await fail(ids.slice(0, 7));
  await endRuns(queue.db, ids.slice(7, 9), { state: "succeeded" });
  await queue.db.$executeRaw`delete from queue where id = ${ids[9]}::uuid`;
  await countAll();
  await countAll();
  expect(await read()).toMatchObject({ openCount: 2, succeededCount: 2, failedCount: 7 });
  const list = async (status?: "failed" | "succeeded" | "queued") =>
    (await listRuns(queue.db, accountId, { jobId, status }, { limit: 50 })).items
      .map(({ id }) => id)
      .toSorted();
  expect(await list("failed")).toEqual(ids.slice(0, 7));
  expect(await list("succeeded")).toEqual(ids.slice(7, 9));
  expect(await list("queued")).toEqual(ids.slice(10));
  // A second job for those that failed again counts its own outcomes, and leaves the first's alone.
  const again = await retryRuns(of(actionQueue), { filter: { jobId, status: "failed" } });
  await work();
  await endRuns(queue.db, ids.slice(0, 7), { state: "succeeded" });
  await countAll();
  expect(await read()).toMatchObject({ succeededCount: 2, failedCount: 7 });
  expect(await getBulkJob(queue.db, accountId, again.id)).toMatchObject({
    total: 7,
    succeededCount: 7,
    failedCount: 0,
  });
});

it("a trial that fails pauses the job after five runs, and resuming retries the others", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 40);
  const { accountId, targetId: actionId } = actionQueue;
  const filter = { actionId, status: "failed" } as const;
  const { id } = await retryRuns(of(actionQueue), { filter, trial: true });
  const read = () => getBulkJob(queue.db, accountId, id);
  await work();
  await work();
  expect(await read()).toMatchObject({ status: "running", isTrial: true, changedCount: 5 });
  // One has failed, and one will be tried again after a failure. The trial waits for the others.
  const tried = await listOpen(ids);
  expect(tried).toHaveLength(5);
  await fail(tried.slice(0, 1));
  await queue.db.queuedRun.updateMany({
    where: { id: { in: tried.slice(1, 2) } },
    data: { reasonCode: "retry", reasonDetail: "The receiver responded with 500." },
  });
  await work();
  expect(await read()).toMatchObject({ status: "running", changedCount: 5 });
  await endRuns(queue.db, tried.slice(2), { state: "succeeded" });
  await work();
  expect(await read()).toMatchObject({
    status: "paused",
    changedCount: 5,
    failedCount: 1,
    pauseReason: "2 of the first 5 failed. No others were queued.",
  });
  await resumeBulkJob(of(actionQueue), { id });
  await work();
  expect(await read()).toMatchObject({ status: "finished", changedCount: 40, isTrial: false });
});

it("a trial that succeeds is followed by the others, up to the failures that stop it", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 200);
  const { accountId, targetId: actionId } = actionQueue;
  const filter = { actionId, status: "failed" } as const;
  const limits = { trial: true, stopAfterFailures: 3 };
  const { id } = await retryRuns(of(actionQueue), { filter, ...limits });
  await work();
  const open = () => listOpen(ids);
  await endRuns(queue.db, await open(), { state: "succeeded" });
  await work();
  // It never has more runs open than it could stop.
  expect(await open()).toHaveLength(50);
  await fail((await open()).slice(0, 3));
  await work();
  expect(await getBulkJob(queue.db, accountId, id)).toMatchObject({
    status: "paused",
    succeededCount: 5,
    failedCount: 3,
    pauseReason: "3 runs have failed.",
  });
});

it("skipped runs can't be retried", async () => {
  const context = of(await queue.addActionQueue());
  const filter = { status: "skipped" } as never;
  await expect(retryRuns(context, { filter })).rejects.toMatchObject({ code: "invalid_request" });
});

it("a count that had to wait rests for ten seconds at most", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await addFailed(actionQueue, 2);
  const { accountId, targetId: actionId } = actionQueue;
  const { id: jobId } = await retryRuns(of(actionQueue), {
    filter: { actionId, status: "failed" },
  });
  await work();
  await endRuns(queue.db, ids.slice(0, 1), { state: "succeeded" });
  // Before those of other tests, which may be due again by now.
  await queue.db
    .$executeRaw`update bulk_jobs set count_at = now() - interval '1 day' where id = ${jobId}::uuid`;
  const counting = await queue.db.$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from bulk_job_runs where job_id = ${jobId}::uuid for update`;
    const started = countRunsJob(queue.db).work(new AbortController().signal);
    const waiting = () => tx.$queryRaw<unknown[]>`
      select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    // It rests for 20 times as long as it took, without the limit.
    await tx.$executeRaw`select pg_sleep(0.6)`;
    return { started };
  });
  await counting.started;
  const [job] = await queue.db.$queryRaw<{ restSeconds: number }[]>`
    select extract(epoch from count_at - counted_at)::float as "restSeconds" from bulk_jobs where id = ${jobId}::uuid`;
  expect(job?.restSeconds).toBe(10);
  expect(await getBulkJob(queue.db, accountId, jobId)).toMatchObject({ succeededCount: 1 });
});
