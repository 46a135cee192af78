import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { createQueueFixture } from "../testing/queue-fixture.ts";
import type { ActionLimit } from "./claim-runs.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => emptyTables(queue.db, "queue", "runs", "deliveries", "accounts"));

const ids = (runs: readonly { id: string }[]) => runs.map((run) => run.id);

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
    expect(taken.filter((run) => run.targetId === second.targetId)).toHaveLength(3);
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
    // No run ever ends: each round takes everything that the claim allows.
    for (let round = 0; round < 4; round += 1) await claim();
    const next = await queue.addActionQueue({ accountId });
    await queue.addRuns(next, 60);
    expect((await claim()).filter((run) => run.targetId === next.targetId).length).toBeGreaterThan(
      20,
    );
    const quick = await queue.addActionQueue({ accountId });
    await queue.addRuns(quick, 60);
    const taken = await claim([{ targetId: quick.targetId, limit: null, isQuick: true }]);
    expect(taken.filter((run) => run.targetId === quick.targetId)).toHaveLength(60);
  });

  it("leaves a slot for the next account, however many accounts wait for receivers that never respond", async () => {
    let freeSlots = 32;
    for (let account = 0; account < 8; account += 1) {
      await queue.addRuns(await queue.addActionQueue(), 200);
      // No run ever ends: each round takes everything that the claim allows.
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
      // No run ever ends: each round takes everything that the claim allows.
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
        .$executeRaw`update queue set due_at = now() + interval '1 hour' where lease_id is null`;
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
