import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import type { ClaimedRun } from "../claimed-run.ts";
import { createQueueFixture } from "../testing/queue-fixture.ts";
import { claimRuns } from "./claim-runs.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => emptyTables(queue.db, "queue", "runs", "deliveries", "accounts"));

const ids = (runs: readonly { id: string }[]) => runs.map((run) => run.id);

describe("a claim", () => {
  it("gives no run to two workers that claim at the same time", async () => {
    const actionQueues = await Promise.all(Array.from({ length: 4 }, () => queue.addActionQueue()));
    for (const actionQueue of actionQueues) await queue.addRuns(actionQueue, 100);
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, index) => queue.claim({ workerId: index + 1, freeSlots: 40 })),
    );
    const rest = await queue.claim();
    const all = [...claims.flat(), ...rest].map((run) => run.id);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(400);
  });

  it("claims the longest due first and leaves its state and queue position alone", async () => {
    const actionQueue = await queue.addActionQueue();
    const late = await queue.addRuns(actionQueue, 2, { dueInMs: -1_000 });
    const early = await queue.addRuns(actionQueue, 2, { dueInMs: -60_000 });
    expect(new Set(ids(await queue.claim({ freeSlots: 15 })))).toEqual(
      new Set([...early, late[0]]),
    );
    const run = await queue.readRun(early[0] ?? "");
    expect(run).toMatchObject({
      state: "queued",
      attempt_count: 0,
      worker_id: 1,
      is_finished: false,
    });
    expect(run.due_in_ms).toBeLessThan(-59_000);
    expect(run.lease_left_ms).toBeGreaterThan(25_000);
  });

  it("leaves runs that are not due", async () => {
    const actionQueue = await queue.addActionQueue();
    const [id = ""] = await queue.addRuns(actionQueue, 1, { dueInMs: 60_000 });
    expect(await queue.claim()).toEqual([]);
    expect((await queue.readRun(id)).lease_id).toBeNull();
  });

  it.each([
    ["a paused hook", "update hooks set status = 'paused'", "update hooks set status = 'active'"],
    [
      "a disabled action",
      "update actions set enabled = false",
      "update actions set enabled = true",
    ],
  ])("holds the runs of %s until it is active again", async (_what, hold, release) => {
    const runs = await queue.addRuns(await queue.addActionQueue(), 3);
    await queue.db.$executeRawUnsafe(hold);
    expect(await queue.claim()).toEqual([]);
    await queue.db.$executeRawUnsafe(release);
    expect(new Set(ids(await queue.claim()))).toEqual(new Set(runs));
  });

  it.each([["hooks"], ["actions"]])("never claims runs of deleted %s", async (table) => {
    await queue.addRuns(await queue.addActionQueue(), 3);
    await queue.db.$executeRawUnsafe(`update ${table} set deleted_at = now()`);
    expect(await queue.claim()).toEqual([]);
  });

  it("leaves a run whose lease has expired to the rescuer", async () => {
    await queue.addRuns(await queue.addActionQueue(), 1);
    await queue.claim({ leaseMs: -1_000 });
    expect(await queue.claim()).toEqual([]);
  });

  it("returns the number of the next attempt", async () => {
    const [id] = await queue.addRuns(await queue.addActionQueue(), 1);
    await queue.db
      .$executeRaw`update queue set attempt_count = 4, reason_code = 'retry' where id = ${id}::uuid`;
    expect(await queue.claim()).toMatchObject([{ id, attemptNumber: 5 }]);
  });

  it("returns the delivery unless its body is too large or it is gone, and always the size of the body", async () => {
    const actionQueue = await queue.addActionQueue();
    const [large] = await queue.addRuns(actionQueue, 1, {
      dueInMs: -2_000,
      body: "x".repeat(1_234),
    });
    const [gone] = await queue.addRuns(actionQueue, 1);
    await queue.db
      .$executeRaw`delete from deliveries where id = (select delivery_id from queue where id = ${gone}::uuid)`;
    const [small] = await queue.addRuns(actionQueue, 1, { body: "ä" });
    const taken = await queue.claim({ inlineBytes: 1_000 });
    const bodyOf = (run: ClaimedRun) =>
      run.kind === "action" && run.delivery !== null
        ? Buffer.from(run.delivery.body).toString()
        : null;
    const summary = taken.map((run) => [run.id, [run.bodySize, bodyOf(run)]]);
    expect(new Map(summary as [string, unknown][])).toEqual(
      new Map<string | undefined, unknown>([
        [large, [1_234, null]],
        [gone, [2, null]],
        [small, [2, "ä"]],
      ]),
    );
  });
});

describe("limits of a claim", () => {
  it("never exceeds an action's own cap, over all workers", async () => {
    const actionQueue = await queue.addActionQueue({ maxConcurrency: 3 });
    await queue.addRuns(actionQueue, 50);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => queue.claim({ workerId: index + 1 })),
    );
    expect(claims.flat()).toHaveLength(3);
    expect(await queue.claim()).toEqual([]);
    const [first] = claims.flat();
    await queue.db.$executeRaw`delete from queue where id = ${first?.id}::uuid`;
    expect(await queue.claim()).toHaveLength(1);
  });

  it("gives an action without a cap of its own the usual one, and fewer if it has a breaker", async () => {
    const breaker = { failures: 5, windowSeconds: 60, openSeconds: 60 };
    const [plain, guarded] = [
      await queue.addActionQueue(),
      await queue.addActionQueue({ breaker }),
    ];
    for (const actionQueue of [plain, guarded]) await queue.addRuns(actionQueue, 120);
    const claimed = await queue.claim({ accountCap: 1_000, quickReserve: 1_000 });
    const count = (targetId: string) => claimed.filter((run) => run.targetId === targetId).length;
    expect([count(plain.targetId), count(guarded.targetId)]).toEqual([100, 20]);
  });

  it("doesn't exceed the cap when a batch of runs is committed late and sorts before leased ones", async () => {
    const actionQueue = await queue.addActionQueue({ maxConcurrency: 2 });
    await queue.addRuns(actionQueue, 2, { dueInMs: -1_000 });
    expect(await queue.claim()).toHaveLength(2);
    await queue.addRuns(actionQueue, 500, { dueInMs: -5_000 });
    expect(await queue.claim()).toEqual([]);
  });

  it("never exceeds an account's cap and reserve, over all its actions", async () => {
    const accountId = await queue.addAccount();
    const actionQueues = await Promise.all(
      Array.from({ length: 4 }, () => queue.addActionQueue({ accountId })),
    );
    for (const actionQueue of actionQueues) await queue.addRuns(actionQueue, 30);
    const actionLimits = actionQueues.map(({ targetId }) => ({
      targetId,
      limit: null,
      isQuick: true,
    }));
    const options = { accountCap: 50, quickReserve: 10, actionLimits };
    expect(await queue.claim(options)).toHaveLength(60);
    expect(await queue.claim({ ...options, workerId: 2 })).toEqual([]);
  });

  it("never exceeds the limit that its worker has learned for an action, whatever its cap", async () => {
    const { targetId, ...actionQueue } = await queue.addActionQueue({ maxConcurrency: 20 });
    await queue.addRuns({ targetId, ...actionQueue }, 50);
    const claim = (limit: number | null) =>
      queue.claim({ actionLimits: [{ targetId, limit, isQuick: true }] });
    expect(await claim(4)).toHaveLength(4);
    expect(await claim(4)).toEqual([]);
    expect(await claim(null)).toHaveLength(16);
  });

  it("leaves runs that were handed over out of an action's limit, unless a user has set it", async () => {
    for (const [more, claimed] of [[{}, 4] as const, [{ maxConcurrency: 12 }, 2] as const]) {
      const { targetId, ...actionQueue } = await queue.addActionQueue(more);
      await queue.addRuns({ targetId, ...actionQueue }, 50);
      const leaseId = newId();
      const actionLimits = [{ targetId, limit: 10, isQuick: true }];
      expect(await queue.claim({ leaseId, actionLimits })).toHaveLength(10);
      const own = { actionLimits: [{ targetId, limit: 4, isQuick: true }] };
      expect(await queue.claim({ ...own, workerId: 2 })).toEqual([]);
      const learned =
        claimed === 4 ? own : { actionLimits: [{ targetId, limit: 20, isQuick: true }] };
      expect(await queue.claim({ ...learned, handOffLeaseIds: [leaseId] })).toHaveLength(claimed);
      await queue.db.$executeRaw`truncate queue`;
    }
  });

  it("loads no more bodies than fit into memory, but always one", async () => {
    for (let index = 0; index < 5; index += 1) {
      await queue.addRuns(await queue.addActionQueue(), 1, { body: "x".repeat(1_000) });
    }
    expect(await queue.claim({ freeBytes: 2_500 })).toHaveLength(2);
    expect(await queue.claim({ freeBytes: 10 })).toHaveLength(1);
  });
});

describe("a partial claim", () => {
  it("takes only from known queues, from their floor on, and the next full claim takes the rest", async () => {
    const known = await queue.addActionQueue();
    const [old = ""] = await queue.addRuns(known, 1, { dueInMs: -60_000 });
    const fresh = await queue.addRuns(known, 2, { dueInMs: -500 });
    const other = await queue.addRuns(await queue.addActionQueue(), 1);
    const knownQueues = [
      { accountId: known.accountId, targetId: known.targetId, floorMs: Date.now() - 500 },
    ];
    expect(new Set(ids(await queue.claim({ knownQueues })))).toEqual(new Set(fresh));
    expect(new Set(ids(await queue.claim()))).toEqual(new Set([old, ...other]));
  });

  it("learns from a full claim where each queue starts, including calls in flight", async () => {
    const actionQueue = await queue.addActionQueue();
    await queue.addRuns(actionQueue, 1, { dueInMs: -60_000 });
    await queue.claim();
    await queue.addRuns(actionQueue, 1, { dueInMs: -500 });
    const options = {
      workerId: 1,
      leaseId: newId(),
      leaseMs: 30_000,
      freeSlots: 100,
      freeBytes: 1_000,
      actionCap: 9,
      accountCap: 9,
    };
    const { queues } = await claimRuns(queue.db, options);
    expect(queues).toMatchObject([
      { accountId: actionQueue.accountId, targetId: actionQueue.targetId },
    ]);
    expect((queues[0]?.floorMs ?? 0) - (Date.now() - 60_000)).toBeLessThan(5_000);
  });
});
