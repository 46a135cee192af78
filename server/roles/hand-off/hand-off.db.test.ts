import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { storeAndHandOver } from "#lib/catch/store-and-hand-over.ts";
import { storeBatch } from "#lib/db/deliveries/store-deliveries.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { type Control, readControl, toControlFrame } from "#lib/hand-off/control.ts";
import { FrameReader } from "#lib/hand-off/frames.ts";
import { HandOff } from "#lib/hand-off/hand-off.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { patience, withHandOff } from "#server/testing/with-hand-off.ts";

const { bench, folder, handOffSocket, ...handOffs } = withHandOff();
const { startWorker, addAction, deliver, wayOf, readQueue, untilHandedOver, untilDone } = handOffs;

describe("a delivery whose action responds quickly", () => {
  test("is handed over, and ends like one that was claimed", async () => {
    await using receiver = await startReceiver();
    await using _worker = startWorker();
    const hook = await addHook(bench.db);
    await addAction(hook, receiver.url);
    expect(await wayOf(hook)).toBe(false);
    await untilHandedOver(hook);
    await untilDone(hook);
    const runs = await bench.db.run.findMany({ where: { hookId: hook.id } });
    expect(new Set(runs.map(({ state, attemptCount }) => `${state} ${attemptCount}`))).toEqual(
      new Set(["succeeded 1"]),
    );
    const keys = receiver.calls.map(({ headers }) => headers["idempotency-key"]);
    expect(keys.toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
    const ids = receiver.calls.map(({ body }) => JSON.parse(body).id);
    expect(new Set(ids).size).toBe(runs.length);
  });

  test("is called with the action as it was when it was stored", async () => {
    await using before = await startReceiver();
    await using after = await startReceiver();
    await using _worker = startWorker();
    const hook = await addHook(bench.db);
    const id = await addAction(hook, before.url);
    await untilHandedOver(hook);
    await untilDone(hook);
    const calls = before.calls.length;
    const request = { method: "POST", url: after.url, headers: {}, query: {}, body: null };
    await bench.db.action.update({ where: { id }, data: { request, version: 2 } });
    expect(await wayOf(hook)).toBe(true);
    await untilDone(hook);
    expect([before.calls.length, after.calls.length]).toEqual([calls, 1]);
    await bench.db.action.update({ where: { id }, data: { enabled: false } });
    await deliver(hook);
    expect(await readQueue(hook)).toEqual([]);
  });

  test("waits in the queue while its hook is paused or its action is held", async () => {
    await using receiver = await startReceiver();
    await using _worker = startWorker();
    const hook = await addHook(bench.db);
    const id = await addAction(hook, receiver.url);
    await untilHandedOver(hook);
    await untilDone(hook);
    const context = testContext(bench.db, hook.accountId);
    await setHookStatus(context, { id: hook.id, status: "paused" });
    await deliver(hook);
    expect(await readQueue(hook)).toMatchObject([{ leaseId: null, workerId: null }]);
    await bench.db.action.update({ where: { id }, data: { heldSince: new Date() } });
    await setHookStatus(context, { id: hook.id, status: "active" });
    await deliver(hook);
    expect(await readQueue(hook)).toMatchObject([{ leaseId: null }, { leaseId: null }]);
  });

  test.each([
    ["its own concurrency", { maxConcurrency: 5 }],
    ["a rate", { rateCount: 100, rateSeconds: 1 }],
    ["a breaker", { breakerFailures: 5, breakerWindowSeconds: 60, breakerOpenSeconds: 60 }],
    ["a destination", { destinationIds: [newId()] }],
  ])("is claimed if its action has %s", async (_, control) => {
    await using receiver = await startReceiver();
    await using _worker = startWorker();
    const [hook, other] = [await addHook(bench.db), await addHook(bench.db)];
    const id = await addAction(hook, receiver.url);
    await addAction(other, receiver.url);
    await untilHandedOver(hook);
    await bench.db.action.update({ where: { id }, data: control });
    expect(await wayOf(hook)).toBe(false);
    await untilHandedOver(other);
    expect(await wayOf(hook)).toBe(false);
  });
});

describe("nothing is lost", () => {
  test("what was stored for a worker and never arrived is due again once the connection ends, as if never leased", async () => {
    await using receiver = await startReceiver();
    await using worker = startWorker();
    await expect.poll(() => worker.worker.isReady, patience).toBe(true);
    const hook = await addHook(bench.db);
    const action = await addAction(hook, receiver.url);
    const { socket, hello } = await dial();
    const { workerId, leaseId } = hello;
    const lease = { ...hello, targetIds: [action], isLeased: () => true };
    const { leased, hasDue } = await storeBatch(
      bench.db,
      [newDelivery(hook, { body: Buffer.from('{"id":"x"}') })],
      { maxSends: null, lease },
    );
    expect([leased.length, hasDue]).toEqual([1, false]);
    expect(await readQueue(hook)).toMatchObject([{ leaseId, workerId }]);
    socket.destroy();
    await untilDone(hook);
    expect(receiver.calls.length).toBe(1);
    expect(await bench.db.run.findMany({ where: { hookId: hook.id } })).toMatchObject([
      { state: "succeeded", attemptCount: 1 },
    ]);
  });

  test("a run that never arrives is due again once its lease has expired, although the connection is open", {
    tags: "variant",
  }, async () => {
    await using receiver = await startReceiver();
    await using worker = startWorker({
      // A worker that is held up for half a lease ends its connections.
      limits: { leaseMs: 4_000, renewEveryMs: 1_000, rescueEveryMs: 50 },
    });
    await expect.poll(() => worker.worker.isReady, patience).toBe(true);
    const hook = await addHook(bench.db);
    const action = await addAction(hook, receiver.url);
    const { socket, hello } = await dial();
    onTestFinished(() => void socket.destroy());
    const lease = { ...hello, targetIds: [action], isLeased: () => true };
    const body = Buffer.from('{"id":"x"}');
    await storeBatch(bench.db, [newDelivery(hook, { body })], { maxSends: null, lease });
    await untilDone(hook);
    expect(receiver.calls.length).toBe(1);
    const [run] = await bench.db.run.findMany({ where: { hookId: hook.id } });
    expect(run).toMatchObject({ state: "succeeded", attemptCount: 2 });
  });

  test("a catch process frees what it stored for a worker that is gone, or when it took too long", async () => {
    const hook = await addHook(bench.db);
    const action = await addAction(hook, "http://127.0.0.1:9/");
    for (const event of ["gone", "late"] as const) {
      const path = join(folder, `${event}.sock`);
      const server = createServer((socket) => {
        const hello = { say: "hello", workerId: 1, leaseId: newId(), leaseMs: 30_000 } as const;
        socket.write(toControlFrame(hello));
        const room = { room: 10 };
        const rooms = [
          { key: action, hookId: hook.id, ...room },
          { key: hook.accountId, ...room },
        ];
        socket.write(toControlFrame({ say: "rooms", arrived: 0, all: 10, rooms }));
        socket.on("error", () => {});
        clients.push(socket);
      });
      const clients: Socket[] = [];
      server.listen(path);
      const handOff = new HandOff(path, event === "late" ? { maxStoreMs: 0 } : {});
      onTestFinished(() => {
        handOff.close();
        for (const client of clients) client.destroy();
        server.close();
      });
      const delivery = newDelivery(hook);
      await expect.poll(() => handOff.lease([delivery])?.workerId, patience).toBe(1);
      let leaseId: string | null = null;
      const db: SqlDatabase = {
        ...bench.db,
        $executeRaw: (...statement) => bench.db.$executeRaw(...statement),
        $transaction: (run) => bench.db.$transaction(run),
        async $queryRaw<Rows>(...statement: Parameters<SqlDatabase["$queryRaw"]>) {
          const rows = await bench.db.$queryRaw<Rows>(...statement);
          if (leaseId !== null) return rows;
          leaseId = (await readQueue(hook)).at(-1)?.leaseId ?? "";
          if (event === "late") return rows;
          for (const client of clients) client.destroy();
          await expect.poll(() => handOff.lease([newDelivery(hook)]), patience).toBe(null);
          return rows;
        },
      };
      await storeAndHandOver(db, [delivery], handOff);
      expect(leaseId).toMatch(/^[0-9a-f-]{36}$/);
      await expect
        .poll(async () => (await readQueue(hook)).map((run) => run.leaseId), patience)
        .not.toContain(leaseId);
    }
  });

  test("a worker that stops while deliveries arrive leaves each either done or due", async () => {
    await using receiver = await startReceiver();
    const hook = await addHook(bench.db);
    await addAction(hook, receiver.url);
    const { worker, ...rest } = startWorker();
    await untilHandedOver(hook);
    let isOver = false;
    const arriving = (async () => {
      while (!isOver) await Promise.all(Array.from({ length: 8 }, () => deliver(hook)));
    })();
    const before = receiver.calls.length;
    await expect.poll(() => receiver.calls.length, patience).toBeGreaterThan(before + 50);
    await worker.stop({ graceMs: 5_000 });
    isOver = true;
    await arriving;
    const open = await readQueue(hook);
    expect(open.filter(({ leaseId }) => leaseId !== null)).toEqual([]);
    expect(open.filter(({ attemptCount }) => attemptCount > 0)).toEqual([]);
    const done = await bench.db.run.count({ where: { hookId: hook.id } });
    expect(receiver.calls.length).toBe(done);
    await rest[Symbol.asyncDispose]();
    await using _next = startWorker();
    await untilDone(hook);
    expect(receiver.calls.length).toBe(await bench.db.run.count({ where: { hookId: hook.id } }));
  });
});

/** A connection to the worker, as a catch process has it. */
async function dial() {
  const socket = connect(handOffSocket);
  const reader = new FrameReader();
  const { promise, resolve } = Promise.withResolvers<Extract<Control, { say: "hello" }>>();
  socket.on("data", (chunk: Buffer) => {
    for (const { bytes } of reader.read(chunk)) {
      const control = readControl(bytes);
      if (control.say === "hello") resolve(control);
    }
  });
  await once(socket, "connect");
  return { socket, hello: await promise };
}
