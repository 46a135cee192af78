import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { payload, request, withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();

const isOk = { when: { all: [{ path: "body.ok", op: "equals", value: true }] } };
const soon = { maxAttempts: 5, initialDelayMs: 100, maxDelayMs: 100 };

it("a response that the success rule calls a failure is retried if the policy says so", {
  tags: "variant",
}, async () => {
  let responses = 0;
  await using receiver = await startReceiver((response) => {
    responses += 1;
    response.end(JSON.stringify({ ok: responses === 2 }));
  });
  await using _worker = startTestWorker({ url: queue.url });
  const retry = { ...soon, on: ["unsuccessful"] };
  const action = { request: request(receiver.url), success: isOk };
  const [id = ""] = await queue.addRuns(await queue.addActionQueue({ ...action, retry }), 1, {
    body: payload,
  });
  expect(await untilFinished(id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
  responses = 2;
  const [other = ""] = await queue.addRuns(await queue.addActionQueue(action), 1, {
    body: payload,
  });
  expect(await untilFinished(other)).toMatchObject({
    state: "failed",
    reason:
      "not_retried: The receiver responded with 200, but body.ok is false and must equal true; this is not retried",
  });
});

it("gives up by the time since a run was created or last retried manually", async () => {
  await using receiver = await startReceiver((response) => response.writeHead(503).end());
  await using _worker = startTestWorker({ url: queue.url });
  const retry = { ...soon, initialDelayMs: 5_000, maxDelayMs: 5_000, giveUpAfterSeconds: 9 };
  const actionQueue = await queue.addActionQueue({ request: request(receiver.url), retry });
  const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
  await expect.poll(async () => (await queue.readRun(id)).state).toBe("retrying");
  await retryRun(testContext(queue.db, actionQueue.accountId), { id });
  await expect.poll(() => receiver.calls.length).toBe(2);
  // The row looks as if the run had waited for 9 seconds.
  await expect.poll(async () => (await queue.readRun(id)).state).toBe("retrying");
  await queue.db.$executeRaw`
      update queue set retried_at = now() - interval '9 s', due_at = now() - interval '1 ms' where id = ${id}::uuid and lease_id is null`;
  notifyRunsDue(queue.db);
  expect(await untilFinished(id)).toMatchObject({ state: "failed", attempt_count: 3 });
  expect((await queue.readRun(id)).reason).toMatch(/^gave_up: .*later than 9 seconds/);
});
