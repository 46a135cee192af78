import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { markRunCancelled } from "#lib/db/runs/runs.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { patience, withHandOff } from "#server/testing/with-hand-off.ts";

const { bench, startWorker, addAction, deliver, readQueue, untilHandedOver, untilDone } =
  withHandOff();

const deliverAll = (hook: TestHook, count: number) =>
  Promise.all(Array.from({ length: count }, () => deliver(hook)));

/** A receiver that responds at once, until it holds its responses. */
async function startHoldingReceiver() {
  const held: ServerResponse[] = [];
  let isHolding = false;
  let open = 0;
  let most = 0;
  const receiver = await startReceiver((response) => {
    open += 1;
    most = Math.max(most, open);
    response.once("close", () => {
      open -= 1;
    });
    if (isHolding) held.push(response);
    else response.end("ok");
  });
  return {
    ...receiver,
    held,
    most: () => most,
    hold() {
      isHolding = true;
      most = 0;
    },
    release() {
      isHolding = false;
      for (const response of held.splice(0)) response.end("ok");
    },
  };
}

test("handed over and claimed runs together never exceed an action's limit, and what waits goes back to the queue when its hook is paused", async () => {
  await using receiver = await startHoldingReceiver();
  await using _worker = startWorker({ limits: { actionCap: 8 } });
  const hook = await addHook(bench.db);
  await addAction(hook, receiver.url);
  await untilHandedOver(hook);
  await untilDone(hook);
  receiver.hold();
  await deliverAll(hook, 40);
  await expect.poll(() => receiver.held.length, patience).toBe(8);
  const context = testContext(bench.db, hook.accountId);
  await setHookStatus(context, { id: hook.id, status: "paused" });
  const countLeased = async () =>
    (await readQueue(hook)).filter(({ leaseId }) => leaseId !== null).length;
  await expect.poll(countLeased, patience).toBe(8);
  receiver.release();
  await expect.poll(countLeased, patience).toBe(0);
  const left = await readQueue(hook);
  expect(left).toHaveLength(32);
  expect(left.filter(({ attemptCount }) => attemptCount > 0)).toEqual([]);
  await setHookStatus(context, { id: hook.id, status: "active" });
  await untilDone(hook);
  expect(receiver.most()).toBeLessThanOrEqual(8);
});

test("a run that waits isn't called after it was canceled, nor beyond a limit that was set meanwhile", async () => {
  await using receiver = await startHoldingReceiver();
  await using _worker = startWorker({ limits: { actionCap: 4 } });
  const hook = await addHook(bench.db);
  const id = await addAction(hook, receiver.url);
  await untilHandedOver(hook);
  await untilDone(hook);
  receiver.hold();
  const before = receiver.calls.length;
  await deliverAll(hook, 12);
  await expect.poll(() => receiver.held.length, patience).toBe(4);
  const called = new Set(
    receiver.calls.slice(before).map((call) => call.headers["idempotency-key"]),
  );
  const waiting = (await readQueue(hook)).filter((run) => !called.has(run.id));
  expect(waiting).toHaveLength(8);
  const [canceled, ...others] = waiting.map((run) => run.id);
  expect(await markRunCancelled(bench.db, hook.accountId, canceled ?? "")).toBe(true);
  await bench.db.action.update({ where: { id }, data: { maxConcurrency: 1 } });
  const countLeased = async () =>
    (await readQueue(hook)).filter(({ leaseId }) => leaseId !== null).length;
  await expect.poll(countLeased, patience).toBe(4);
  receiver.release();
  receiver.hold();
  await expect.poll(() => receiver.held.length, patience).toBe(1);
  await expect.poll(countLeased, patience).toBe(1);
  receiver.release();
  await untilDone(hook);
  const keys = receiver.calls.slice(before).map((call) => call.headers["idempotency-key"]);
  expect(keys).not.toContain(canceled);
  expect(keys.toSorted()).toEqual([...called, ...others].toSorted());
  expect(receiver.most()).toBe(1);
});

test("a backlog gets slots while new deliveries are handed over", { tags: "variant" }, async () => {
  await using receiver = await startReceiver();
  await using _worker = startWorker({ limits: { actionCap: 8 } });
  const hook = await addHook(bench.db);
  await addAction(hook, receiver.url);
  await untilHandedOver(hook);
  await untilDone(hook);
  const body = Buffer.from('{"id":"waited"}');
  const backlog = Array.from({ length: 60 }, () => newDelivery(hook, { body }));
  await storeDeliveries(bench.db, backlog);
  notifyRunsDue(bench.db);
  let isOver = false;
  const arriving = (async () => {
    while (!isOver) await deliverAll(hook, 8);
  })();
  const waited = () => receiver.calls.filter((call) => call.body.includes("waited")).length;
  await expect.poll(waited, patience).toBe(60);
  isOver = true;
  await arriving;
  await untilDone(hook);
});

test("another account's run is called while one account's deliveries use all that they may", {
  tags: "variant",
}, async () => {
  await using hung = await startHoldingReceiver();
  await using good = await startReceiver();
  await using _worker = startWorker({ limits: { maxRuns: 40 } });
  const [busy, other] = [await addHook(bench.db), await addHook(bench.db)];
  await addAction(busy, hung.url);
  await addAction(other, good.url);
  await untilHandedOver(busy);
  await untilDone(busy);
  hung.hold();
  await deliverAll(busy, 100);
  await expect.poll(() => hung.held.length, patience).toBeGreaterThan(10);
  await deliver(other);
  await expect.poll(() => good.calls.length, patience).toBe(1);
  expect(hung.held.length).toBeLessThan(40);
  hung.release();
  await untilDone(busy);
});
