import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { type ActionLimit, claimRuns } from "./claim-runs.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => queue.db.$executeRaw`truncate runs, deliveries, actions, hooks, accounts cascade`);

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
      .$executeRaw`update runs set attempt_count = 4, state = 'retrying' where id = ${id}::uuid`;
    expect(await queue.claim()).toMatchObject([{ id, attemptNumber: 5 }]);
  });

  it("returns the size of the body to load, 0 if the delivery is gone", async () => {
    const actionQueue = await queue.addActionQueue();
    const [large] = await queue.addRuns(actionQueue, 1, {
      dueInMs: -2_000,
      body: "x".repeat(1_234),
    });
    const [gone] = await queue.addRuns(actionQueue, 1);
    await queue.db
      .$executeRaw`delete from deliveries where id = (select delivery_id from runs where id = ${gone}::uuid)`;
    const taken = await queue.claim();
    expect(new Map(taken.map((run) => [run.id, run.bodySize]))).toEqual(
      new Map([
        [large, 1_234],
        [gone, 0],
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
    await queue.db
      .$executeRaw`update runs set state = 'succeeded', finished_at = now(), lease_id = null where id = ${first?.id}::uuid`;
    expect(await queue.claim()).toHaveLength(1);
  });

  it("doesn't exceed the cap when runs are committed late and sort before leased ones", async () => {
    const actionQueue = await queue.addActionQueue({ maxConcurrency: 2 });
    await queue.addRuns(actionQueue, 2, { dueInMs: -1_000 });
    expect(await queue.claim()).toHaveLength(2);
    await queue.addRuns(actionQueue, 5, { dueInMs: -5_000 });
    expect(await queue.claim()).toEqual([]);
  });

  it("never exceeds an account's cap and reserve, over all its actions", async () => {
    const accountId = await queue.addAccount();
    const actionQueues = await Promise.all(
      Array.from({ length: 4 }, () => queue.addActionQueue({ accountId })),
    );
    for (const actionQueue of actionQueues) await queue.addRuns(actionQueue, 30);
    const actionLimits = actionQueues.map(({ actionId }) => ({
      actionId,
      limit: null,
      isQuick: true,
    }));
    const options = { accountCap: 50, quickReserve: 10, actionLimits };
    expect(await queue.claim(options)).toHaveLength(60);
    expect(await queue.claim({ ...options, workerId: 2 })).toEqual([]);
  });

  it("never exceeds the limit that its worker has learned for an action, whatever its cap", async () => {
    const { actionId, ...actionQueue } = await queue.addActionQueue({ maxConcurrency: 20 });
    await queue.addRuns({ actionId, ...actionQueue }, 50);
    const claim = (limit: number | null) =>
      queue.claim({ actionLimits: [{ actionId, limit, isQuick: true }] });
    expect(await claim(4)).toHaveLength(4);
    expect(await claim(4)).toEqual([]);
    expect(await claim(null)).toHaveLength(16);
  });

  it("loads no more bodies than fit into memory, but always one", async () => {
    for (let index = 0; index < 5; index += 1) {
      await queue.addRuns(await queue.addActionQueue(), 1, { body: "x".repeat(1_000) });
    }
    expect(await queue.claim({ freeBytes: 2_500 })).toHaveLength(2);
    expect(await queue.claim({ freeBytes: 10 })).toHaveLength(1);
  });
});

describe("fairness", () => {
  it("lets accounts take turns, however many runs one of them has waiting", async () => {
    const busy = await queue.addActionQueue();
    await queue.addRuns(busy, 900, { dueInMs: -3_600_000 });
    const quiet = await queue.addActionQueue();
    const [first] = await queue.addRuns(quiet, 5);
    const taken = await queue.claim({ freeSlots: 50 });
    expect(taken.filter((run) => run.accountId === quiet.accountId)).toHaveLength(5);
    expect(ids(taken)).toContain(first);
  });

  it("gives every account one slot before any gets two if slots are few", async () => {
    for (let account = 0; account < 10; account += 1) {
      await queue.addRuns(await queue.addActionQueue(), 20, { dueInMs: -60_000 * (account + 1) });
    }
    const taken = await queue.claim({ freeSlots: 10 });
    expect(new Set(taken.map((run) => run.accountId)).size).toBe(10);
  });

  it("lets the actions of one account take turns", async () => {
    const accountId = await queue.addAccount();
    await queue.addRuns(await queue.addActionQueue({ accountId }), 100, { dueInMs: -3_600_000 });
    const second = await queue.addActionQueue({ accountId });
    await queue.addRuns(second, 3);
    const taken = await queue.claim({ freeSlots: 30 });
    expect(taken.filter((run) => run.actionId === second.actionId)).toHaveLength(3);
  });

  it("leaves room for the account's next action, and a reserve for fast ones, if its actions never respond", async () => {
    const accountId = await queue.addAccount();
    let freeSlots = 2_048;
    const claim = async (actionLimits: readonly ActionLimit[] = []) => {
      const runs = await queue.claim({
        freeSlots,
        actionCap: 200,
        accountCap: 400,
        quickReserve: 200,
        actionLimits,
      });
      freeSlots -= runs.length;
      return runs;
    };
    for (const _action of ["first", "second"])
      await queue.addRuns(await queue.addActionQueue({ accountId }), 300);
    // Nothing ever ends: each round takes whatever the claim allows.
    for (let round = 0; round < 4; round += 1) await claim();
    const next = await queue.addActionQueue({ accountId });
    await queue.addRuns(next, 60);
    expect((await claim()).filter((run) => run.actionId === next.actionId).length).toBeGreaterThan(
      20,
    );
    const quick = await queue.addActionQueue({ accountId });
    await queue.addRuns(quick, 60);
    const taken = await claim([{ actionId: quick.actionId, limit: null, isQuick: true }]);
    expect(taken.filter((run) => run.actionId === quick.actionId)).toHaveLength(60);
  });

  it("leaves a slot for the next account, however many accounts wait for receivers that never respond", async () => {
    let freeSlots = 32;
    for (let account = 0; account < 8; account += 1) {
      await queue.addRuns(await queue.addActionQueue(), 200);
      // Nothing ever ends: each round takes whatever the claim allows.
      for (let round = 0; round < 4; round += 1)
        freeSlots -= (await queue.claim({ freeSlots })).length;
    }
    expect(freeSlots).toBeGreaterThan(0);
    const last = await queue.addActionQueue();
    await queue.addRuns(last, 1);
    expect(await queue.claim({ freeSlots, leaseId: newId() })).toMatchObject([
      { accountId: last.accountId },
    ]);
  });
});

describe("fairness of memory", () => {
  const large = { body: "x".repeat(1_000) };

  it("an account's bodies take at most as much memory as they leave free", async () => {
    const actionQueue = await queue.addActionQueue();
    for (let index = 0; index < 5; index += 1) await queue.addRuns(actionQueue, 1, large);
    expect(await queue.claim({ freeBytes: 4_500 })).toHaveLength(2);
    const inFlightBytes = new Map([[actionQueue.accountId, 2_000]]);
    expect(await queue.claim({ freeBytes: 2_500, inFlightBytes })).toHaveLength(0);
    expect(await queue.claim({ freeBytes: 4_000, inFlightBytes })).toHaveLength(1);
  });

  it("memory is left for the next account, however many wait with large bodies", async () => {
    let freeBytes = 32_000;
    for (let account = 0; account < 4; account += 1) {
      const actionQueue = await queue.addActionQueue();
      for (let index = 0; index < 33; index += 1) await queue.addRuns(actionQueue, 1, large);
      const inFlightBytes = new Map<string, number>();
      // Nothing ever ends: each round takes whatever the claim allows.
      for (let round = 0; round < 3; round += 1) {
        const taken = (await queue.claim({ freeBytes, inFlightBytes })).filter(
          (run) => run.accountId === actionQueue.accountId,
        );
        freeBytes -= taken.length * 1_000;
        inFlightBytes.set(
          actionQueue.accountId,
          (inFlightBytes.get(actionQueue.accountId) ?? 0) + taken.length * 1_000,
        );
      }
      await queue.db
        .$executeRaw`update runs set due_at = now() + interval '1 hour' where lease_id is null`;
    }
    expect(freeBytes).toBeGreaterThan(0);
    const last = await queue.addActionQueue();
    await queue.addRuns(last, 1, large);
    expect(await queue.claim({ freeBytes })).toMatchObject([{ accountId: last.accountId }]);
  });

  it("an account without bodies in memory gets its first, whatever its size, and empty bodies always go", async () => {
    const actionQueue = await queue.addActionQueue();
    const [first] = await queue.addRuns(actionQueue, 1, {
      dueInMs: -3_000,
      body: "x".repeat(5_000),
    });
    await queue.addRuns(actionQueue, 1, { dueInMs: -2_000, body: "x" });
    const [empty] = await queue.addRuns(actionQueue, 1, { body: "" });
    expect(new Set(ids(await queue.claim({ freeBytes: 6_000 })))).toEqual(new Set([first, empty]));
  });
});

describe("a partial claim", () => {
  it("takes only from known queues, from their floor on, and the next full claim takes the rest", async () => {
    const known = await queue.addActionQueue();
    const [old = ""] = await queue.addRuns(known, 1, { dueInMs: -60_000 });
    const fresh = await queue.addRuns(known, 2, { dueInMs: -500 });
    const other = await queue.addRuns(await queue.addActionQueue(), 1);
    const knownQueues = [
      { accountId: known.accountId, actionId: known.actionId, floorMs: Date.now() - 500 },
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
      { accountId: actionQueue.accountId, actionId: actionQueue.actionId },
    ]);
    expect((queues[0]?.floorMs ?? 0) - (Date.now() - 60_000)).toBeLessThan(5_000);
  });
});
