import { expect, it } from "vitest";
import { cancelRun, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { patience } from "../testing/with-worker-queue.ts";
import { call, thrice, withSteps } from "./testing/with-steps.ts";

const { queue, untilFinished, run } = await withSteps();

const hourly = { ...thrice, initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 };

it("each step is tried as often as its policy says after every manual retry, and no more", {
  tags: "variant",
}, async () => {
  const statuses: Record<string, number[]> = {
    "/first": [503, 503, 200, 503, 503, 200],
    "/second": [503, 503, 503, 503, 503, 200],
  };
  await using receiver = await startReceiver((response, { path }) =>
    response.writeHead(statuses[path]?.shift() ?? 503).end(),
  );
  await using _worker = startTestWorker({ url: queue.url });
  const made = await run([
    call("first", receiver, { retry: thrice }),
    call("second", receiver, { retry: thrice }),
  ]);
  const again = () =>
    retryRun(testContext(queue.db, made.accountId), { id: made.id, fromStep: "first" });
  expect(await untilFinished(made.id)).toMatchObject({ state: "failed", attempt_count: 6 });
  await again();
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 12 });
  await again();
  expect(await untilFinished(made.id)).toMatchObject({
    state: "failed",
    attempt_count: 15,
    reason: expect.stringMatching(/^attempts_exhausted: .*attempt 3 of 3/),
  });
});

it("a step that waited when its run was canceled is tried at once after a manual retry, and then as often as its policy says", async () => {
  await using receiver = await startReceiver((response) => response.writeHead(503).end());
  await using _worker = startTestWorker({ url: queue.url });
  const retry = { ...hourly, maxAttempts: 2 };
  const made = await run([call("only", receiver, { retry })]);
  const context = testContext(queue.db, made.accountId);
  const waiting = { reason: expect.stringMatching(/^retry: /), lease_id: null };
  await expect.poll(() => queue.readRun(made.id), patience).toMatchObject(waiting);
  await cancelRun(context, { id: made.id });
  await retryRun(context, { id: made.id });
  await expect
    .poll(() => queue.readRun(made.id), patience)
    .toMatchObject({ ...waiting, attempt_count: 2 });
});

it("a step that a user begins again has the time of its policy again", async () => {
  await using receiver = await startReceiver((response) => response.writeHead(503).end());
  await using _worker = startTestWorker({ url: queue.url });
  const retry = { ...hourly, giveUpAfterSeconds: 6_000 };
  const made = await run([call("only", receiver, { retry })]);
  const context = testContext(queue.db, made.accountId);
  const waiting = { reason: expect.stringMatching(/^retry: /), lease_id: null };
  await expect.poll(() => queue.readRun(made.id), patience).toMatchObject(waiting);
  await queue.db.$executeRaw`
    update queue set retried_at = now() - interval '2 hours' where id = ${made.id}::uuid`;
  await retryRun(context, { id: made.id, fromStep: "only" });
  await expect
    .poll(() => queue.readRun(made.id), patience)
    .toMatchObject({ ...waiting, attempt_count: 2 });
});
