import { expect, test } from "vitest";
import { createSampleMark, sampleHeader } from "#lib/core/providers/samples/sample-mark.ts";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withPendingHooks } from "#server/testing/with-pending-hooks.ts";

const { bench, rowsOf } = withPendingHooks();

test("a sample runs the hook's actions, but no subscriber gets it, and its delivery says why", async () => {
  const publish = { eventType: "order.paid", recipientPath: null };
  const hook = await addHook(bench.db, { publish });
  const { accountId } = hook;
  await addAction(bench.db, hook);
  const subscriptionId = await addSubscription(bench.db, accountId);
  const body = '{"id":"e1"}';
  const target = { accountId, hookId: hook.id, body: Buffer.from(body), nowMs: Date.now() };
  const mark = createSampleMark(testSealer, target);
  const headers = { "content-type": "application/json", [sampleHeader]: mark };
  await send(bench.caught.port, hook.path, { body, headers });
  expect(await rowsOf(hook)).toMatchObject([
    {
      status: "accepted",
      isSample: true,
      reason: "sample",
      detail: "Not published as order.paid. It is a sample, which subscribers don't get.",
    },
  ]);
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(1);
  expect(await bench.db.event.count({ where: { accountId } })).toBe(0);
  expect(await bench.db.queuedRun.count({ where: { targetId: subscriptionId } })).toBe(0);
});
