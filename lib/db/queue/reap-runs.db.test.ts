import { afterAll, beforeEach, expect, it } from "vitest";
import { type Listener, type ListenSession, listen } from "../listen.ts";
import { maxCrashes, suspectCrashes } from "./claim-runs.ts";
import { finishRuns } from "./finish-runs.ts";
import { findLostWorkers, reapRuns } from "./reap-runs.ts";
import { deregisterWorker, registerWorker } from "./register-worker.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => queue.db.$executeRaw`truncate runs, deliveries, actions, hooks, accounts, workers cascade`);

type Registered = { readonly id: number; readonly session: ListenSession; readonly listener: Listener };

async function startWorker(url = queue.url): Promise<Registered> {
  const { promise, resolve } = Promise.withResolvers<{ id: number; session: ListenSession }>();
  const listener = listen({
    url,
    applicationName: "reap test",
    channels: [],
    onNotification: () => {},
    onConnected: async (session) => resolve({ id: await registerWorker(session, "a worker"), session }),
  });
  return { ...(await promise), listener };
}

const reap = (lostWorkerIds: readonly number[]) => reapRuns(queue.db, { lostWorkerIds, laneCap: 100 });

it("a worker that is connected is not lost; once its connection is gone it is", async () => {
  const worker = await startWorker();
  expect(await findLostWorkers(queue.db)).toEqual([]);
  await worker.listener.close();
  await expect.poll(() => findLostWorkers(queue.db)).toEqual([worker.id]);
});

it("a living worker of another database on the same server says nothing about one of ours", async () => {
  await using elsewhere = await createQueueFixture();
  const gone = await startWorker();
  await gone.listener.close();
  // Both count from 1.
  await elsewhere.db.$queryRaw`select 1 from setval('workers_id_seq', ${gone.id}, false)`;
  const namesake = await startWorker(elsewhere.url);
  expect(namesake.id).toBe(gone.id);
  await expect.poll(() => findLostWorkers(queue.db)).toEqual([gone.id]);
  expect(await findLostWorkers(elsewhere.db)).toEqual([]);
  await namesake.listener.close();
});

it("a worker that has deregistered leaves nothing behind", async () => {
  const worker = await startWorker();
  await deregisterWorker(worker.session, worker.id);
  await worker.listener.close();
  expect(await findLostWorkers(queue.db)).toEqual([]);
});

it("what a dead worker held is due at once, with an attempt of unknown outcome; a living worker's runs are left alone", async () => {
  const [dead, alive] = [await startWorker(), await startWorker()];
  const [first = "", second = ""] = await queue.addRuns(await queue.addLane({ maxConcurrency: 1 }), 2);
  await queue.claim({ workerId: dead.id });
  const [other = ""] = await queue.addRuns(await queue.addLane(), 1);
  await queue.claim({ workerId: alive.id });
  await dead.listener.close();
  await expect.poll(() => findLostWorkers(queue.db)).toEqual([dead.id]);

  expect(await reap([dead.id, alive.id])).toMatchObject([{ id: first, isParked: false }]);

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
  expect(await findLostWorkers(queue.db)).toEqual([]);
  expect(await queue.claim()).toMatchObject([{ id: first, attemptNumber: 2 }]);
  await alive.listener.close();
});

it("a dead worker's runs are all freed, also when their action may have fewer at a time by now", async () => {
  const dead = await startWorker();
  const lane = await queue.addLane({ maxConcurrency: 60 });
  const ids = await queue.addRuns(lane, 60);
  expect(await queue.claim({ workerId: dead.id })).toHaveLength(60);
  await queue.db.$executeRaw`update actions set max_concurrency = 1 where id = ${lane.actionId}::uuid`;
  await dead.listener.close();
  await expect.poll(() => findLostWorkers(queue.db)).toEqual([dead.id]);
  expect(new Set((await reap([dead.id])).map(({ id }) => id))).toEqual(new Set(ids));
});

it("a lease that ran out is freed although its worker still has its lock", async () => {
  const hanging = await startWorker();
  const [id = ""] = await queue.addRuns(await queue.addLane(), 1);
  await queue.claim({ workerId: hanging.id, leaseMs: -1 });
  expect(await reap([])).toMatchObject([{ id, isParked: false }]);
  expect(await reap([])).toEqual([]);
  expect(await queue.claim()).toMatchObject([{ id, attemptNumber: 2 }]);
  await hanging.listener.close();
});

it(`a run whose worker died ${maxCrashes} times in a row is parked as failed with that reason`, async () => {
  const [id = ""] = await queue.addRuns(await queue.addLane(), 1);
  for (let crash = 1; crash <= maxCrashes; crash += 1) {
    expect(await queue.claim({ leaseMs: -1 })).toHaveLength(1);
    expect(await reap([])).toMatchObject([{ id, isParked: crash === maxCrashes }]);
  }
  expect(await queue.readRun(id)).toMatchObject({
    state: "failed",
    is_finished: true,
    attempt_count: maxCrashes,
  });
  expect((await queue.readRun(id)).reason).toMatch(/^worker_died: /);
  expect(await queue.claim()).toEqual([]);
});

it("deaths that an attempt with an end lies between are not in a row", async () => {
  const [id = ""] = await queue.addRuns(await queue.addLane(), 1);
  const die = async () => {
    expect(await queue.claim({ leaseMs: -1 })).toHaveLength(1);
    return (await reap([]))[0]?.isParked;
  };
  for (let crash = 1; crash < maxCrashes; crash += 1) expect(await die()).toBe(false);
  const [{ accountId = "", leaseId = "" } = {}] = await queue.claim();
  const next = { state: "retrying", reason: "retry: 503", delayMs: 0 } as const;
  await finishRuns(queue.db, [{ id, leaseId, accountId, next, attempt: null }]);
  expect(await die()).toBe(false);
});

it("with a run that kills every worker no other one is parked, however many were in the same hands", async () => {
  const lane = await queue.addLane();
  const ids = await queue.addRuns(lane, 20);
  const [poison = ""] = ids.slice(7, 8);
  const others = new Set(ids.filter((id) => id !== poison));
  const parked: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    // Whoever takes the poison dies of it and of nothing else; without it everything in hand comes to its end.
    const claimed = await queue.claim();
    if (claimed.length === 0) break;
    expect(claimed.filter(({ isSuspect }) => isSuspect).length).toBeLessThanOrEqual(1);
    if (claimed.some(({ id }) => id === poison)) {
      await queue.db
        .$executeRaw`update runs set leased_until = now() - interval '1 s' where lease_id is not null`;
      parked.push(...(await reap([])).filter(({ isParked }) => isParked).map(({ id }) => id));
      continue;
    }
    const next = { state: "succeeded", reason: null } as const;
    await finishRuns(
      queue.db,
      claimed.map(({ id, leaseId, accountId }) => ({ id, leaseId, accountId, next, attempt: null })),
    );
    for (const { id } of claimed) others.delete(id);
  }
  expect(parked).toEqual([poison]);
  expect(others.size).toBe(0);
});

it("of suspects in the same hands the one begun last is blamed", async () => {
  const [first = "", second = ""] = await queue.addRuns(await queue.addLane(), 2);
  await queue.db.$executeRaw`update runs set crash_count = ${suspectCrashes}::int`;
  expect(await queue.claim({ takesSuspect: false })).toEqual([]);
  expect(await queue.claim()).toMatchObject([{ id: first, isSuspect: true }]);
  expect(await queue.claim()).toMatchObject([{ id: second, isSuspect: true }]);
  await queue.db.$executeRaw`update runs set leased_until = now() - interval '1 s'`;
  const reaped = await reap([]);
  expect(reaped.find(({ id }) => id === first)).toMatchObject({ isParked: false });
  expect(reaped.find(({ id }) => id === second)).toMatchObject({ isParked: true });
  expect(await queue.readRun(first)).toMatchObject({ crash_count: suspectCrashes, attempt_count: 1 });
});

it("two reapers at the same time free each run once", async () => {
  const lane = await queue.addLane();
  for (let round = 0; round < 10; round += 1) {
    const ids = await queue.addRuns(lane, 100);
    await queue.claim({ leaseMs: -1 });
    const reaped = (await Promise.all([reap([]), reap([]), reap([]), reap([])])).flat();
    expect(reaped).toHaveLength(100);
    expect(await queue.readAttempts(ids[0] ?? "")).toHaveLength(1);
    await queue.db.$executeRaw`truncate runs, attempts`;
  }
});
