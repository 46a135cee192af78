import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { patience, request, withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
/** Starts workers that run until the end of a test. */
function startWorkers(count: number): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  for (let started = 0; started < count; started += 1)
    stack.use(startTestWorker({ url: queue.url }));
  return stack;
}

function isUnkeyed(run: ClaimedRun): boolean {
  return run.kind === "action" && run.isUnkeyed;
}

const retry = { maxAttempts: 9, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };
const order = { by: "{{ data.customer }}", skipAfterSeconds: null };

it("runs of one key go one after the other over three workers, also when some fail", async () => {
  const seen = new Map<string, number[]>();
  const failed = new Set<string>();
  const inFlight = new Map<string, number>();
  let overlaps = 0;
  await using receiver = await startReceiver((response, call) => {
    const { customer, number } = JSON.parse(call.body) as { customer: string; number: number };
    inFlight.set(customer, (inFlight.get(customer) ?? 0) + 1);
    if ((inFlight.get(customer) ?? 0) > 1) overlaps += 1;
    setTimeout(() => {
      inFlight.set(customer, (inFlight.get(customer) ?? 0) - 1);
      const isFirst = !failed.has(call.body);
      failed.add(call.body);
      if (number % 10 === 3 && isFirst) return response.writeHead(503).end();
      seen.set(customer, [...(seen.get(customer) ?? []), number]);
      return response.end();
    }, 2);
  });
  const body = { customer: "{{ data.customer }}", number: "{{ data.number }}" };
  const action = await queue.addActionQueue({
    request: request(receiver.url, { body }),
    retry,
    order,
  });
  const customers = Array.from({ length: 8 }, (_, index) => `customer ${index}`);
  await using _workers = startWorkers(3);
  for (let number = 0; number < 8; number += 1) {
    for (const customer of customers)
      await queue.addRuns(action, 1, { body: JSON.stringify({ data: { customer, number } }) });
    notifyRunsDue(queue.db);
  }
  await expect.poll(() => queue.db.run.count({ where: { state: "succeeded" } }), patience).toBe(64);
  expect(overlaps).toBe(0);
  for (const customer of customers)
    expect(seen.get(customer)).toEqual(Array.from({ length: 8 }, (_, number) => number));
});

it("a run without a value isn't ordered, and one whose filter doesn't match holds nothing", async () => {
  await using receiver = await startReceiver((response) => response.writeHead(503).end());
  const filter = { all: [{ path: "data.customer", op: "notEquals", value: "skipped" }] };
  const by = "{{ data.customer | default: '' }}";
  const action = await queue.addActionQueue({
    request: request(receiver.url, { body: null }),
    filter,
    order: { ...order, by },
  });
  const add = async (customer?: string) =>
    (await queue.addRuns(action, 1, { body: JSON.stringify({ data: { customer } }) }))[0] ?? "";
  await using _workers = startWorkers(1);
  const skipped = [await add("skipped"), await add("skipped")];
  const free = [await add(), await add()];
  const [first, second] = [await add("a"), await add("a")];
  for (const id of skipped) expect(await untilFinished(id)).toMatchObject({ state: "skipped" });
  for (const id of [...free, first])
    await expect.poll(async () => (await queue.readRun(id)).state, patience).toBe("retrying");
  expect(await queue.readRun(second)).toMatchObject({ state: "queued", attempt_count: 0 });
  expect((await getRun(queue.db, action.accountId, second)).waitsFor).toMatchObject({
    kind: "order",
    runId: first,
    deliveryId: expect.any(String),
  });
});

it("after skipAfterSeconds a failing run no longer holds the next one", async () => {
  await using receiver = await startReceiver((response) => response.end());
  const action = await queue.addActionQueue({
    request: request(receiver.url, { body: null }),
    order: { ...order, skipAfterSeconds: 60 },
  });
  const [head = "", next = ""] = await queue.addRuns(action, 2);
  await queue.db.$executeRaw`
    update queue set order_key = 7, retried_at = now(), due_at = now() + interval '1 h', reason_code = 'retry', reason_detail = 'x'
    where id = ${head}::uuid`;
  await queue.db.$executeRaw`update queue set order_key = 7 where id = ${next}::uuid`;
  expect(await queue.claim()).toEqual([]);
  await queue.db
    .$executeRaw`update queue set retried_at = now() - interval '61 s' where id = ${head}::uuid`;
  expect((await queue.claim()).map(({ id }) => id)).toEqual([next]);
  await queue.db
    .$executeRaw`update queue set due_at = now() - interval '1 ms' where id = ${head}::uuid`;
  expect((await queue.claim()).map(({ id }) => id)).toEqual([head]);
});

it("two claims at the same time don't exceed the concurrency, and nothing runs before an older run without a key", async () => {
  const action = await queue.addActionQueue({ order, maxConcurrency: 3 });
  const ids = await queue.addRuns(action, 50);
  await queue.db.$executeRaw`
    update queue set order_key = ('x' || substr(md5(id::text), 1, 16))::bit(64)::bigint where id <> ${ids[10] ?? ""}::uuid`;
  const claims = await Promise.all(Array.from({ length: 8 }, () => queue.claim()));
  const started = claims.flat().filter((run) => !isUnkeyed(run));
  expect(started.length).toBeLessThanOrEqual(3);
  expect(started.every(({ id }) => ids.indexOf(id) < 10)).toBe(true);
  expect(
    claims
      .flat()
      .filter(isUnkeyed)
      .map(({ id }) => id),
  ).toEqual([ids[10]]);
  await queue.db.$executeRaw`
      update queue set lease_id = null, due_at = now() - interval '1 ms' where id = any (${started.map(({ id }) => id)}::uuid[])`;
  const again = await Promise.all(
    Array.from({ length: 8 }, () => queue.claim({ leaseId: newId() })),
  );
  expect(again.flat()).toHaveLength(3);
});
