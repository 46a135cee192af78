import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { recordHealth } from "../control/record-health.ts";
import { addTurn } from "../control/turns.ts";
import { type ActionQueue, createQueueFixture } from "../testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

type Limits = {
  readonly maxConcurrency?: number;
  readonly rateCount?: number;
  readonly breakerFailures?: number;
};

/** Two actions of an account with 30 runs each, and the destination that they share. */
async function share(limits: Limits): Promise<{ id: string; actions: readonly ActionQueue[] }> {
  const accountId = await queue.addAccount();
  const { rateCount = null, breakerFailures = null, maxConcurrency = null } = limits;
  const id = newId();
  await queue.db.destination.create({
    data: {
      id,
      accountId,
      name: "CRM",
      origin: "https://crm.example",
      maxConcurrency,
      rateCount,
      rateSeconds: rateCount === null ? null : 60,
      breakerFailures,
      breakerWindowSeconds: breakerFailures === null ? null : 60,
      breakerOpenSeconds: breakerFailures === null ? null : 60,
    },
  });
  await addTurn(queue.db, id);
  const actions = [
    await queue.addActionQueue({ accountId }),
    await queue.addActionQueue({ accountId }),
  ];
  for (const action of actions) {
    const where = { id: action.targetId };
    await queue.db.action.update({ where, data: { destinationIds: [id] } });
    await queue.addRuns(action, 30);
  }
  return { id, actions };
}

const claimAtOnce = async () =>
  (await Promise.all(Array.from({ length: 6 }, () => queue.claim({ leaseId: newId() })))).flat();

async function startOver(): Promise<void> {
  await emptyTables(queue.db, "queue", "actions", "destinations");
}

it("actions share the concurrency of a destination, also over claims at the same time", async () => {
  const { actions } = await share({ maxConcurrency: 5 });
  const runs = [...(await claimAtOnce()), ...(await claimAtOnce())];
  expect(runs).toHaveLength(5);
  expect(new Set(runs.map(({ targetId }) => targetId)).size).toBe(2);
  // The same holds for a claim that knows only one of the queues.
  const [{ accountId, targetId } = { accountId: "", targetId: "" }] = actions;
  const knownQueues = [{ accountId, targetId, floorMs: 0 }];
  expect(await queue.claim({ knownQueues })).toEqual([]);
  await queue.db.$executeRaw`delete from queue where lease_id is not null`;
  expect(await claimAtOnce()).toHaveLength(5);
  await startOver();
});

it("actions share the rate of a destination", async () => {
  const { id } = await share({ rateCount: 10 });
  const first = await claimAtOnce();
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThanOrEqual(11);
  await queue.db
    .$executeRaw`update target_rates set next_at = now() + interval '1 h' where target_id = ${id}::uuid`;
  expect(await queue.claim()).toEqual([]);
  await startOver();
});

it("the breaker of a destination holds the runs of all actions that share it", async () => {
  const { id } = await share({ breakerFailures: 3 });
  const [run] = await queue.claim({ freeSlots: 4 });
  expect(run?.breakers).toEqual([id]);
  const fail = { targetId: id, runId: run?.id ?? "", health: "down" as const, durationMs: 1 };
  await recordHealth(queue.db, [fail, fail, fail]);
  await queue.db.$executeRaw`delete from queue where lease_id is not null`;
  expect(await claimAtOnce()).toEqual([]);
  await queue.db
    .$executeRaw`update target_breakers set next_try_at = now() - interval '1 ms' where target_id = ${id}::uuid`;
  expect(await claimAtOnce()).toHaveLength(1);
  await startOver();
});
