import { describe, expect, it } from "vitest";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import {
  patience,
  payload,
  request,
  startSlowReceiver,
  withWorkerQueue,
} from "../testing/with-worker-queue.ts";

const { queue, readWorkerIds, untilFinished } = await withWorkerQueue();

describe("the worker", () => {
  it("renews the lease of a long call, so that it is not repeated", async () => {
    await using receiver = await startSlowReceiver();
    const limits = { leaseMs: 3_000, renewEveryMs: 300, rescueEveryMs: 100 };
    await using _first = startTestWorker({ url: queue.url, limits });
    await using _second = startTestWorker({ url: queue.url, limits });
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    const { leasedUntil } = await queue.db.queuedRun.findUniqueOrThrow({ where: { id } });
    // The lease that the run was claimed with has been over for a few rounds.
    await expect
      .poll(
        () =>
          queue.db
            .$queryRaw`select from queue where now() > ${leasedUntil}::timestamptz + interval '1 s'`,
        patience,
      )
      .toHaveLength(1);
    receiver.respondToAll();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(receiver.calls).toHaveLength(1);
  });

  it("continues after all its connections were closed, without repeating calls in flight", async () => {
    await using receiver = await startSlowReceiver();
    await using test = startTestWorker({ url: queue.url });
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    const [before] = await readWorkerIds();
    await queue.db
      .$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%worker%'`;
    // The old registration has been rescued, and the call is still in flight under the new one.
    await expect.poll(readWorkerIds, patience).toEqual([(before ?? 0) + 1]);
    receiver.respondToAll();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    await expect.poll(() => test.worker.isReady, patience).toBe(true);
    const [next = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(2);
    receiver.respondToAll();
    expect((await untilFinished(next)).state).toBe("succeeded");
  });

  it("doesn't rescue its own calls after an outage, however late it registers again", {
    tags: "variant",
  }, async () => {
    await using receiver = await startSlowReceiver();
    const slowest = { applicationName: "catchment worker lock", delayMs: 1_500 };
    const network = await startFaultProxy(queue.url, { slowest });
    // Rounds are so fast that any grace counted in them ends before the registration is back.
    const limits = { leaseMs: 600, renewEveryMs: 200, rescueEveryMs: 50 };
    await using test = startTestWorker({ url: network.url, limits });
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    network.setMode("refuse");
    await expect
      .poll(async () => (await queue.readRun(id)).lease_left_ms, patience)
      .toBeLessThan(0);
    network.setMode("pass");
    await expect.poll(() => test.worker.isReady, patience).toBe(true);
    await expect
      .poll(async () => (await queue.readRun(id)).lease_left_ms, patience)
      .toBeGreaterThan(0);
    receiver.respondToAll();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(receiver.calls).toHaveLength(1);
    await test.worker.stop({ graceMs: 0 });
    await network.close();
  });

  it("keeps its claim while it registers again: the call is not made twice", async () => {
    await using receiver = await startSlowReceiver();
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    let isFirst = true;
    // The claim is committed, but its response comes only after the registration was lost and
    // renewed.
    const wrapDatabase = (db: SqlDatabase): SqlDatabase => ({
      ...db,
      async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
        const rows = await db.$queryRaw<Rows>(query, ...values);
        if (isFirst && (await queue.readRun(id)).lease_id !== null) {
          isFirst = false;
          const [before = 0] = await readWorkerIds();
          await queue.db
            .$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'catchment worker lock%'`;
          await expect
            .poll(async () => test.worker.isReady && Math.max(...(await readWorkerIds())), patience)
            .toBeGreaterThan(before);
        }
        return rows;
      },
    });
    await using test = startTestWorker({ url: queue.url, wrapDatabase });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    // The old registration is rescued, and the run doesn't belong to it.
    await expect.poll(async () => (await readWorkerIds()).length, patience).toBe(1);
    receiver.respondToAll();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(receiver.calls).toHaveLength(1);
  });

  it("gives back what it claimed if the response is lost, without an attempt that wasn't made", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    let isLost = false;
    const wrapDatabase = (db: SqlDatabase): SqlDatabase => ({
      ...db,
      async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
        const rows = await db.$queryRaw<Rows>(query, ...values);
        if (!isLost && (await queue.readRun(id)).lease_id !== null) {
          isLost = true;
          throw new Error("Connection terminated unexpectedly");
        }
        return rows;
      },
    });
    const limits = { leaseMs: 1_000, unansweredMs: 0, rescueEveryMs: 100 };
    await using _worker = startTestWorker({ url: queue.url, limits, wrapDatabase });
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(isLost).toBe(true);
    expect(await queue.readAttempts(id)).toMatchObject([{ number: 1, error_code: null }]);
  });
});
