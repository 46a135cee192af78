import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { finishRuns, type NextState } from "#lib/db/queue/finish-runs.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { deleteDelivery } from "#lib/services/deliveries/change-deliveries.ts";
import { replayDelivery } from "#lib/services/deliveries/replay-deliveries.ts";
import { cancelRun, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { storeDeliveries } from "./store-deliveries.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

const failed: NextState = { state: "failed", reason: { code: "not_retried", detail: "No." } };
const again: NextState = {
  state: "retrying",
  reason: { code: "timeout", detail: "Slow." },
  delayMs: 0,
};

async function work(leaseId = newId()): Promise<void> {
  const runs = await queue.claim({ leaseId, freeSlots: 4 });
  await finishRuns(
    queue.db,
    runs.map((run) => ({
      ...run,
      attemptCount: run.attemptNumber,
      next: run.attemptNumber % 2 === 0 ? failed : again,
      attempt: {
        id: newId(),
        number: run.attemptNumber,
        startedAtMs: Date.now(),
        durationMs: 1,
        requestJson: null,
        responseJson: '{"status":500}',
        errorCode: null,
        errorMessage: null,
      },
    })),
  );
}

/** Expects the error that the loser of a race gets. */
function expectLost(error: unknown): void {
  expect(["conflict", "not_found"]).toContain((error as { code?: string }).code);
}

it("leaves nothing of a delivery, whatever its runs do meanwhile", {
  tags: "variant",
}, async () => {
  const { accountId, hookId } = await queue.addActionQueue();
  const deliveries = Array.from({ length: 24 }, () => newDelivery({ id: hookId, accountId }));
  const ids = deliveries.map(({ id }) => id);
  await storeDeliveries(queue.db, deliveries);
  const left = new Set(ids);
  const context = testContext(queue.db, accountId);
  let turns = 0;
  const worker = async (): Promise<void> => {
    while (left.size > 0) await work();
  };
  const owner = async (): Promise<void> => {
    for (let n = 0; left.size > 0; n += 1) {
      const runs = await queue.db.$queryRaw<{ id: string }[]>`
        select id from queue where account_id = ${accountId}::uuid
        union all select id from runs where account_id = ${accountId}::uuid`;
      const id = runs[n % Math.max(1, runs.length)]?.id;
      const change = n % 4 === 0 ? cancelRun : retryRun;
      if (id !== undefined) await change(context, { id }).catch(expectLost);
      const deliveryId = [...left][n % Math.max(1, left.size)];
      if (n % 5 === 0 && deliveryId !== undefined)
        await replayDelivery(context, { id: deliveryId }).catch(expectLost);
      turns += 1;
    }
  };
  const deleter = async (): Promise<void> => {
    while (left.size > 0)
      for (const id of left) {
        await deleteDelivery(context, { id }).then(() => left.delete(id), expectLost);
      }
  };
  await Promise.all([worker(), worker(), owner(), owner(), deleter()]);
  expect(turns).toBeGreaterThan(5);
  await work();
  const orphans = await queue.db.$queryRaw<{ kind: string }[]>`
    with every as (select id, delivery_id from queue union all select id, delivery_id from runs)
    select 'run' as kind from every
    union all select 'attempt' from attempts where not late
    union all select 'delivery' from deliveries where id = any (${ids}::uuid[])`;
  expect(orphans).toEqual([]);
});
