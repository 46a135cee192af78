import { afterAll, beforeEach, expect, it } from "vitest";
import { type Listener, type ListenSession, listen } from "#lib/db/postgres/listen.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { crashCandidateThreshold, maxCrashes } from "./claimed-run.ts";
import { finishRuns } from "./finish-runs.ts";
import { findLostWorkers, rescueRuns } from "./rescue-runs.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";
import { deregisterWorker, registerWorker } from "./workers.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => emptyTables(queue.db, "queue", "runs", "deliveries", "accounts", "workers"));

type Registered = {
  readonly id: number;
  readonly session: ListenSession;
  readonly listener: Listener;
};

async function startWorker(url = queue.url): Promise<Registered> {
  const { promise, resolve } = Promise.withResolvers<{ id: number; session: ListenSession }>();
  const listener = listen({
    url,
    applicationName: "rescue test",
    channels: [],
    onNotification: () => {},
    onConnected: async (session) =>
      resolve({ id: await registerWorker(session, "a worker"), session }),
  });
  return { ...(await promise), listener };
}

const findLostIds = async (db: typeof queue.db) => (await findLostWorkers(db)).map(({ id }) => id);

const rescue = (lostWorkerIds: readonly number[]) =>
  rescueRuns(queue.db, { lostWorkerIds, actionCap: 100 });

it("a worker is lost once its connection is gone, and not before", async () => {
  const worker = await startWorker();
  expect(await findLostIds(queue.db)).toEqual([]);
  await worker.listener.close();
  await expect.poll(() => findLostIds(queue.db)).toEqual([worker.id]);
});

it("a live worker of another database on the same server doesn't keep one of ours alive", async () => {
  await using elsewhere = await createQueueFixture();
  const gone = await startWorker();
  await gone.listener.close();
  // Both sequences count from 1.
  await elsewhere.db.$queryRaw`select 1 from setval('workers_id_seq', ${gone.id}, false)`;
  const namesake = await startWorker(elsewhere.url);
  expect(namesake.id).toBe(gone.id);
  await expect.poll(() => findLostIds(queue.db)).toEqual([gone.id]);
  expect(await findLostIds(elsewhere.db)).toEqual([]);
  await namesake.listener.close();
});

it("a worker that has deregistered leaves nothing behind", async () => {
  const worker = await startWorker();
  await deregisterWorker(worker.session, worker.id);
  await worker.listener.close();
  expect(await findLostIds(queue.db)).toEqual([]);
});

it("a dead worker's run is due at once, with an attempt of unknown outcome, and a live worker's runs are left alone", async () => {
  const [dead, alive] = [await startWorker(), await startWorker()];
  const [first = "", second = ""] = await queue.addRuns(
    await queue.addActionQueue({ maxConcurrency: 1 }),
    2,
  );
  await queue.claim({ workerId: dead.id });
  const [other = ""] = await queue.addRuns(await queue.addActionQueue(), 1);
  await queue.claim({ workerId: alive.id });
  await dead.listener.close();
  await expect.poll(() => findLostIds(queue.db)).toEqual([dead.id]);

  expect(await rescue([dead.id, alive.id])).toMatchObject([{ id: first, isQuarantined: false }]);

  expect(await queue.readRun(first)).toMatchObject({
    state: "retrying",
    attempt_count: 1,
    crash_count: 1,
    lease_id: null,
    is_finished: false,
  });
  expect(await queue.readAttempts(first)).toMatchObject([
    { number: 1, error_code: "outcome_unknown", request: null },
  ]);
  expect(await queue.readRun(second)).toMatchObject({ state: "queued", attempt_count: 0 });
  expect((await queue.readRun(other)).worker_id).toBe(alive.id);
  expect(await findLostIds(queue.db)).toEqual([]);
  expect(await queue.claim()).toMatchObject([{ id: first, attemptNumber: 2 }]);
  await alive.listener.close();
});

it("frees all runs of a dead worker, even if their action's cap was lowered meanwhile", async () => {
  const dead = await startWorker();
  const actionQueue = await queue.addActionQueue({ maxConcurrency: 60 });
  const ids = await queue.addRuns(actionQueue, 60);
  expect(await queue.claim({ workerId: dead.id })).toHaveLength(60);
  await queue.db
    .$executeRaw`update actions set max_concurrency = 1 where id = ${actionQueue.targetId}::uuid`;
  await dead.listener.close();
  await expect.poll(() => findLostIds(queue.db)).toEqual([dead.id]);
  expect(new Set((await rescue([dead.id])).map(({ id }) => id))).toEqual(new Set(ids));
});

it("frees an expired lease although its worker still has its lock", async () => {
  const hanging = await startWorker();
  const [id = ""] = await queue.addRuns(await queue.addActionQueue(), 1);
  await queue.claim({ workerId: hanging.id, leaseMs: -1 });
  expect(await rescue([])).toMatchObject([{ id, isQuarantined: false }]);
  expect(await rescue([])).toEqual([]);
  expect(await queue.claim()).toMatchObject([{ id, attemptNumber: 2 }]);
  await hanging.listener.close();
});

it(`quarantines a run whose worker died ${maxCrashes} times in a row, as failed with that reason`, async () => {
  const [id = ""] = await queue.addRuns(await queue.addActionQueue(), 1);
  for (let crash = 1; crash <= maxCrashes; crash += 1) {
    expect(await queue.claim({ leaseMs: -1 })).toHaveLength(1);
    expect(await rescue([])).toMatchObject([{ id, isQuarantined: crash === maxCrashes }]);
  }
  expect(await queue.readRun(id)).toMatchObject({
    state: "failed",
    is_finished: true,
    attempt_count: maxCrashes,
  });
  expect((await queue.readRun(id)).reason).toMatch(/^worker_died: /);
  expect(await queue.claim()).toEqual([]);
});

it("crashes are not in a row if an attempt ended between them", async () => {
  await queue.addRuns(await queue.addActionQueue(), 1);
  const die = async () => {
    expect(await queue.claim({ leaseMs: -1 })).toHaveLength(1);
    return (await rescue([]))[0]?.isQuarantined;
  };
  for (let crash = 1; crash < maxCrashes; crash += 1) expect(await die()).toBe(false);
  const [run] = await queue.claim();
  if (run === undefined) throw new Error("The run was not claimed");
  const next = { state: "retrying", reason: { code: "retry", detail: "503" }, delayMs: 0 } as const;
  await finishRuns(queue.db, [{ ...run, attemptCount: 0, next, attempt: null }]);
  expect(await die()).toBe(false);
});

it("a run that kills every worker never gets another one quarantined, however many the worker held", async () => {
  const actionQueue = await queue.addActionQueue();
  const ids = await queue.addRuns(actionQueue, 20);
  const [poison = ""] = ids.slice(7, 8);
  const others = new Set(ids.filter((id) => id !== poison));
  const quarantined: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    // A worker that holds the poison dies of it and of nothing else. Without it, every run ends.
    const claimed = await queue.claim();
    if (claimed.length === 0) break;
    expect(claimed.filter(({ isCrashCandidate }) => isCrashCandidate).length).toBeLessThanOrEqual(
      1,
    );
    if (claimed.some(({ id }) => id === poison)) {
      await queue.db
        .$executeRaw`update queue set leased_until = now() - interval '1 s' where lease_id is not null`;
      quarantined.push(
        ...(await rescue([])).filter(({ isQuarantined }) => isQuarantined).map(({ id }) => id),
      );
      continue;
    }
    const next = { state: "succeeded", reason: null } as const;
    await finishRuns(
      queue.db,
      claimed.map((run) => ({ ...run, attemptCount: 0, next, attempt: null })),
    );
    for (const { id } of claimed) others.delete(id);
  }
  expect(quarantined).toEqual([poison]);
  expect(others.size).toBe(0);
});

it("of several crash candidates in one worker, the one started last is blamed", async () => {
  const [first = "", second = ""] = await queue.addRuns(await queue.addActionQueue(), 2);
  await queue.db.$executeRaw`update queue set crash_count = ${crashCandidateThreshold}::int`;
  expect(await queue.claim({ allowCrashCandidate: false })).toEqual([]);
  expect(await queue.claim()).toMatchObject([{ id: first, isCrashCandidate: true }]);
  expect(await queue.claim()).toMatchObject([{ id: second, isCrashCandidate: true }]);
  await queue.db.$executeRaw`update queue set leased_until = now() - interval '1 s'`;
  const rescued = await rescue([]);
  expect(rescued.find(({ id }) => id === first)).toMatchObject({ isQuarantined: false });
  expect(rescued.find(({ id }) => id === second)).toMatchObject({ isQuarantined: true });
  expect(await queue.readRun(first)).toMatchObject({
    crash_count: crashCandidateThreshold,
    attempt_count: 1,
  });
});

it("two rescuers at the same time free each run once", async () => {
  const actionQueue = await queue.addActionQueue();
  for (let round = 0; round < 10; round += 1) {
    const ids = await queue.addRuns(actionQueue, 100);
    await queue.claim({ leaseMs: -1 });
    const rescued = (await Promise.all([rescue([]), rescue([]), rescue([]), rescue([])])).flat();
    expect(rescued).toHaveLength(100);
    expect(await queue.readAttempts(ids[0] ?? "")).toHaveLength(1);
    await emptyTables(queue.db, "queue", "runs", "attempts");
  }
});
