import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { closeBreaker, readBreaker } from "#lib/db/queue/control/breakers.ts";
import { recordHealth } from "#lib/db/queue/control/record-health.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { patience, payload, request, withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue } = await withWorkerQueue();
/** Starts workers that run until the end of a test. */
function startWorkers(count: number): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  for (let started = 0; started < count; started += 1)
    stack.use(startTestWorker({ url: queue.url }));
  return stack;
}

const breaker = { failures: 5, windowSeconds: 60, openSeconds: 1 };
const retry = { maxAttempts: 5, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };

it("opens within 20 failures over four workers, passes one run at a time, and speeds up", {
  tags: "variant",
}, async () => {
  let isDown = true;
  let atOnce = 0;
  const concurrency: number[] = [];
  await using receiver = await startReceiver((response) => {
    atOnce += 1;
    concurrency.push(atOnce);
    setTimeout(() => {
      atOnce -= 1;
      response.writeHead(isDown ? 503 : 200).end();
    }, 5);
  });
  const action = await queue.addActionQueue({ request: request(receiver.url), retry, breaker });
  const ids = await queue.addRuns(action, 120, { body: payload });
  await using _workers = startWorkers(4);
  const readState = () => readBreaker(queue.db, action.targetId);
  await expect.poll(async () => (await readState()).state, patience).toBe("open");
  expect(receiver.calls.length).toBeLessThanOrEqual(20);
  const readLeased = () => queue.db.queuedRun.count({ where: { leaseId: { not: null } } });
  await expect.poll(readLeased, patience).toBe(0);
  // Runs start one at a time, once a second.
  const before = receiver.calls.length;
  await expect.poll(() => receiver.calls.length, patience).toBeGreaterThan(before + 1);
  expect(concurrency.slice(before).every((count) => count === 1)).toBe(true);
  const waiting = await queue.db.queuedRun.findFirst({
    where: { attemptCount: 0, leaseId: null },
  });
  expect(await getRun(queue.db, action.accountId, waiting?.id ?? "")).toMatchObject({
    status: "held",
    attemptCount: 0,
    waitsFor: { kind: "receiver", nextTryAt: expect.any(Date) },
  });
  // A call that is being made would be the first to succeed.
  await expect.poll(() => atOnce, patience).toBe(0);
  isDown = false;
  const recovered = receiver.calls.length;
  await expect
    .poll(() => queue.db.run.count({ where: { state: "succeeded" } }), patience)
    .toBe(ids.length);
  expect(concurrency[recovered]).toBe(1);
  expect(Math.max(...concurrency.slice(recovered, recovered + 3))).toBeLessThanOrEqual(2);
  expect(await readState()).toEqual({ state: "closed" });
  const held = await queue.db.run.count({ where: { attemptCount: 1 } });
  expect(held).toBeGreaterThanOrEqual(90);
});

it("counts failures in its window, and only the run that was let through while it is open", async () => {
  const action = await queue.addActionQueue({ breaker: { ...breaker, openSeconds: 60 } });
  const { targetId } = action;
  const [probe = ""] = await queue.addRuns(action, 3);
  const record = (health: "up" | "down" | "none", runId = newId()) =>
    recordHealth(queue.db, [{ targetId, runId, health, durationMs: 10 }]);
  const readState = async () => (await readBreaker(queue.db, targetId)).state;
  const age = (seconds: number) => queue.db.$executeRaw`
    update target_breakers set next_try_at = next_try_at - make_interval(secs => ${seconds}),
      failed_at = array(select at - make_interval(secs => ${seconds}) from unnest(failed_at) as at)
    where target_id = ${targetId}::uuid`;
  for (let count = 0; count < 4; count += 1) await record("down");
  await record("up");
  await age(61);
  await record("down");
  expect(await readState()).toBe("closed");
  for (let count = 0; count < 4; count += 1) await record("down");
  expect(await readState()).toBe("open");
  await record("up");
  expect(await readState()).toBe("open");
  expect(await queue.claim()).toEqual([]);
  await age(61);
  expect((await queue.claim()).map(({ id }) => id)).toEqual([probe]);
  expect(await readState()).toBe("probing");
  expect(await queue.claim()).toEqual([]);
  await record("none", probe);
  expect(await queue.claim()).toHaveLength(1);
  await closeBreaker(queue.db, targetId);
  expect(await queue.claim()).toHaveLength(1);
});

it("a failed try waits again, and a failure during the recovery opens it again", async () => {
  const { targetId } = await queue.addActionQueue({ breaker });
  const record = (health: "up" | "down", runId = newId(), durationMs = 0) =>
    recordHealth(queue.db, [{ targetId, runId, health, durationMs }]);
  const probe = newId();
  const letThrough = () => queue.db.$executeRaw`
    update target_breakers set probe_run_id = ${probe}::uuid where target_id = ${targetId}::uuid`;
  for (let count = 0; count < 5; count += 1) await record("down");
  await letThrough();
  await record("down", probe);
  expect(await readBreaker(queue.db, targetId)).toMatchObject({ state: "open" });
  await letThrough();
  await record("up", probe);
  expect(await readBreaker(queue.db, targetId)).toMatchObject({ concurrency: 2 });
  await record("up");
  expect(await readBreaker(queue.db, targetId)).toMatchObject({ concurrency: 4 });
  // This call began before the recovery.
  await record("down", newId(), 60_000);
  expect(await readBreaker(queue.db, targetId)).toMatchObject({ concurrency: 4 });
  await record("down");
  expect(await readBreaker(queue.db, targetId)).toMatchObject({ state: "open" });
});
