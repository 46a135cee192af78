import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { claimRuns } from "./claim-runs.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => queue.db.$executeRaw`truncate runs, deliveries, actions, hooks, accounts cascade`);

const ids = (runs: readonly { id: string }[]) => runs.map((run) => run.id);

describe("a claim", () => {
  it("gives no run to two workers that claim at the same time", async () => {
    const lanes = await Promise.all(Array.from({ length: 4 }, () => queue.addLane()));
    for (const lane of lanes) await queue.addRuns(lane, 100);
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, index) => queue.claim({ workerId: index + 1, freeSlots: 40 })),
    );
    const rest = await queue.claim();
    const all = [...claims.flat(), ...rest].map((run) => run.id);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(400);
  });

  it("takes the longest due first, and leaves state and place in the queue alone", async () => {
    const lane = await queue.addLane();
    const late = await queue.addRuns(lane, 2, { dueInMs: -1_000 });
    const early = await queue.addRuns(lane, 2, { dueInMs: -60_000 });
    expect(new Set(ids(await queue.claim({ freeSlots: 15 })))).toEqual(new Set([...early, late[0]]));
    const run = await queue.readRun(early[0] ?? "");
    expect(run).toMatchObject({ state: "queued", attempt_count: 0, worker_id: 1, is_finished: false });
    expect(run.due_in_ms).toBeLessThan(-59_000);
    expect(run.lease_left_ms).toBeGreaterThan(25_000);
  });

  it("does not touch what is not due", async () => {
    const lane = await queue.addLane();
    const [id = ""] = await queue.addRuns(lane, 1, { dueInMs: 60_000 });
    expect(await queue.claim()).toEqual([]);
    expect((await queue.readRun(id)).lease_id).toBeNull();
  });

  it.each([
    ["a paused hook", "update hooks set status = 'paused'", "update hooks set status = 'active'"],
    ["a disabled action", "update actions set enabled = false", "update actions set enabled = true"],
  ])("holds the runs of %s until it is back", async (_what, hold, release) => {
    const runs = await queue.addRuns(await queue.addLane(), 3);
    await queue.db.$executeRawUnsafe(hold);
    expect(await queue.claim()).toEqual([]);
    await queue.db.$executeRawUnsafe(release);
    expect(new Set(ids(await queue.claim()))).toEqual(new Set(runs));
  });

  it.each([["hooks"], ["actions"]])("never takes runs of deleted %s", async (table) => {
    await queue.addRuns(await queue.addLane(), 3);
    await queue.db.$executeRawUnsafe(`update ${table} set deleted_at = now()`);
    expect(await queue.claim()).toEqual([]);
  });

  it("does not take a run whose lease has run out: that is the reaper's", async () => {
    await queue.addRuns(await queue.addLane(), 1);
    await queue.claim({ leaseMs: -1_000 });
    expect(await queue.claim()).toEqual([]);
  });

  it("gives the number of the attempt that is to be made", async () => {
    const [id] = await queue.addRuns(await queue.addLane(), 1);
    await queue.db.$executeRaw`update runs set attempt_count = 4, state = 'retrying' where id = ${id}::uuid`;
    expect(await queue.claim()).toMatchObject([{ id, attemptNumber: 5 }]);
  });

  it("gives the size of the body that is to be loaded, 0 where the delivery is gone", async () => {
    const lane = await queue.addLane();
    const [large] = await queue.addRuns(lane, 1, { dueInMs: -2_000, body: "x".repeat(1_234) });
    const [gone] = await queue.addRuns(lane, 1);
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
  it("an action never has more runs at a time than its own cap, over all workers", async () => {
    const lane = await queue.addLane({ maxConcurrency: 3 });
    await queue.addRuns(lane, 50);
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

  it("runs that were committed late and come to stand before leased ones do not break the cap", async () => {
    const lane = await queue.addLane({ maxConcurrency: 2 });
    await queue.addRuns(lane, 2, { dueInMs: -1_000 });
    expect(await queue.claim()).toHaveLength(2);
    await queue.addRuns(lane, 5, { dueInMs: -5_000 });
    expect(await queue.claim()).toEqual([]);
  });

  it("an account never has more at a time than its cap, over all its actions", async () => {
    const accountId = await queue.addAccount();
    for (let index = 0; index < 4; index += 1) await queue.addRuns(await queue.addLane({ accountId }), 30);
    expect(await queue.claim({ accountCap: 50 })).toHaveLength(50);
    expect(await queue.claim({ accountCap: 50, workerId: 2 })).toEqual([]);
  });

  it("takes no more bodies into memory than fit, and always one", async () => {
    for (let index = 0; index < 5; index += 1) {
      await queue.addRuns(await queue.addLane(), 1, { body: "x".repeat(1_000) });
    }
    expect(await queue.claim({ freeBytes: 2_500 })).toHaveLength(2);
    expect(await queue.claim({ freeBytes: 10 })).toHaveLength(1);
  });
});

describe("fairness", () => {
  it("accounts take turns, whatever one of them has waiting", async () => {
    const busy = await queue.addLane();
    await queue.addRuns(busy, 900, { dueInMs: -3_600_000 });
    const quiet = await queue.addLane();
    const [first] = await queue.addRuns(quiet, 5);
    const taken = await queue.claim({ freeSlots: 50 });
    expect(taken.filter((run) => run.accountId === quiet.accountId)).toHaveLength(5);
    expect(ids(taken)).toContain(first);
  });

  it("when slots are few every account gets one before any gets two", async () => {
    for (let account = 0; account < 10; account += 1) {
      await queue.addRuns(await queue.addLane(), 20, { dueInMs: -60_000 * (account + 1) });
    }
    const taken = await queue.claim({ freeSlots: 10 });
    expect(new Set(taken.map((run) => run.accountId)).size).toBe(10);
  });

  it("actions of one account take turns", async () => {
    const accountId = await queue.addAccount();
    await queue.addRuns(await queue.addLane({ accountId }), 100, { dueInMs: -3_600_000 });
    const second = await queue.addLane({ accountId });
    await queue.addRuns(second, 3);
    const taken = await queue.claim({ freeSlots: 30 });
    expect(taken.filter((run) => run.actionId === second.actionId)).toHaveLength(3);
  });

  it("however many accounts wait for receivers that never answer, a slot is left for the next one", async () => {
    let freeSlots = 32;
    for (let account = 0; account < 8; account += 1) {
      await queue.addRuns(await queue.addLane(), 200);
      // Nothing ever ends: every worker round takes what the claim lets it have.
      for (let round = 0; round < 4; round += 1) freeSlots -= (await queue.claim({ freeSlots })).length;
    }
    expect(freeSlots).toBeGreaterThan(0);
    const last = await queue.addLane();
    await queue.addRuns(last, 1);
    expect(await queue.claim({ freeSlots, leaseId: newId() })).toMatchObject([{ accountId: last.accountId }]);
  });
});

describe("fairness of memory", () => {
  const large = { body: "x".repeat(1_000) };

  it("an account's bodies take no more of it than they leave free", async () => {
    const lane = await queue.addLane();
    for (let index = 0; index < 5; index += 1) await queue.addRuns(lane, 1, large);
    expect(await queue.claim({ freeBytes: 4_500 })).toHaveLength(2);
    const heldBytes = new Map([[lane.accountId, 2_000]]);
    expect(await queue.claim({ freeBytes: 2_500, heldBytes })).toHaveLength(0);
    expect(await queue.claim({ freeBytes: 4_000, heldBytes })).toHaveLength(1);
  });

  it("however many accounts wait with large bodies, memory is left for the next one", async () => {
    let freeBytes = 32_000;
    for (let account = 0; account < 4; account += 1) {
      const lane = await queue.addLane();
      for (let index = 0; index < 33; index += 1) await queue.addRuns(lane, 1, large);
      const heldBytes = new Map<string, number>();
      // Nothing ever ends: every worker round takes what the claim lets it have.
      for (let round = 0; round < 3; round += 1) {
        const taken = (await queue.claim({ freeBytes, heldBytes })).filter(
          (run) => run.accountId === lane.accountId,
        );
        freeBytes -= taken.length * 1_000;
        heldBytes.set(lane.accountId, (heldBytes.get(lane.accountId) ?? 0) + taken.length * 1_000);
      }
      await queue.db.$executeRaw`update runs set due_at = now() + interval '1 hour' where lease_id is null`;
    }
    expect(freeBytes).toBeGreaterThan(0);
    const last = await queue.addLane();
    await queue.addRuns(last, 1, large);
    expect(await queue.claim({ freeBytes })).toMatchObject([{ accountId: last.accountId }]);
  });

  it("an account that has none there gets its first, whatever its size, and bodies without bytes always go", async () => {
    const lane = await queue.addLane();
    const [first] = await queue.addRuns(lane, 1, { dueInMs: -3_000, body: "x".repeat(5_000) });
    await queue.addRuns(lane, 1, { dueInMs: -2_000, body: "x" });
    const [empty] = await queue.addRuns(lane, 1, { body: "" });
    expect(new Set(ids(await queue.claim({ freeBytes: 6_000 })))).toEqual(new Set([first, empty]));
  });
});

describe("a quick look", () => {
  it("takes from the known lanes only, from their floor on; the next full look takes the rest", async () => {
    const known = await queue.addLane();
    const [old = ""] = await queue.addRuns(known, 1, { dueInMs: -60_000 });
    const fresh = await queue.addRuns(known, 2, { dueInMs: -500 });
    const other = await queue.addRuns(await queue.addLane(), 1);
    const knownLanes = [{ accountId: known.accountId, actionId: known.actionId, floorMs: Date.now() - 500 }];
    expect(new Set(ids(await queue.claim({ knownLanes })))).toEqual(new Set(fresh));
    expect(new Set(ids(await queue.claim()))).toEqual(new Set([old, ...other]));
  });

  it("is told by a full one where each lane begins, running calls included", async () => {
    const lane = await queue.addLane();
    await queue.addRuns(lane, 1, { dueInMs: -60_000 });
    await queue.claim();
    await queue.addRuns(lane, 1, { dueInMs: -500 });
    const options = {
      workerId: 1,
      leaseId: newId(),
      leaseMs: 30_000,
      freeSlots: 100,
      freeBytes: 1_000,
      laneCap: 9,
      accountCap: 9,
    };
    const { lanes } = await claimRuns(queue.db, options);
    expect(lanes).toMatchObject([{ accountId: lane.accountId, actionId: lane.actionId }]);
    expect((lanes[0]?.floorMs ?? 0) - (Date.now() - 60_000)).toBeLessThan(5_000);
  });
});
