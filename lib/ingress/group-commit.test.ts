import fc from "fast-check";
import { expect, test } from "vitest";
import { type Committed, GroupCommit, type GroupCommitLimits } from "./group-commit.ts";

const wide: GroupCommitLimits = {
  maxInFlight: 2,
  minSecondBatchItems: 1,
  maxBatchItems: 4,
  maxBatchBytes: 100,
  maxWaitingItems: 1_000,
  maxWaitingBytes: 10_000,
  maxGroupItems: 1_000,
};

type Item = {
  readonly id: number;
  readonly bytes: number;
  readonly groupKey: string;
  readonly isPoison: boolean;
  readonly rows: number;
};

function item(id: number, fields: Partial<Item> = {}): Item {
  return { id, bytes: 1, groupKey: "a", isPoison: false, rows: 1, ...fields };
}

class ItemFault extends Error {}

/** A store that the test settles manually, batch by batch. */
function createStore(limits: Partial<GroupCommitLimits> = {}) {
  const batches: { items: readonly Item[]; finish: (error?: Error) => void }[] = [];
  let nowMs = 0;
  const commits = new GroupCommit<Item, number>({
    store: (items) =>
      new Promise((resolve, reject) => {
        batches.push({
          items,
          finish: (error) =>
            error === undefined ? resolve(items.map(({ id }) => id)) : reject(error),
        });
      }),
    bytesOf: ({ bytes }) => bytes,
    rowsOf: ({ rows }) => rows,
    groupKeyOf: ({ groupKey }) => groupKey,
    isItemFault: (error) => error instanceof ItemFault,
    limits: { ...wide, ...limits },
    now: () => nowMs,
  });
  return { commits, batches, setNow: (ms: number) => (nowMs = ms) };
}

/** Submitted items have left, and settled ones have been received. */
async function turn(): Promise<void> {
  for (let times = 0; times < 2; times += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

test("an item with many rows is never split, and leaves less room for others", async () => {
  const { commits, batches } = createStore({ maxInFlight: 1 });
  for (const [id, rows] of [
    [1, 1],
    [2, 3],
    [3, 2],
    [4, 9],
    [5, 1],
  ] as const)
    void commits.submit(item(id, { rows }), 100);
  await turn();
  const seen: number[][] = [];
  for (let next = 0; next < batches.length; next += 1) {
    seen.push(batches[next]?.items.map(({ id }) => id) ?? []);
    batches[next]?.finish();
    await turn();
  }
  expect(seen).toEqual([[1, 2], [3], [4], [5]]);
});

test("a single item is stored at once, and items that arrive meanwhile are stored together in order", async () => {
  const { commits, batches } = createStore();
  const results = [];
  for (const id of [1, 2, 3, 4, 5, 6, 7]) {
    results.push(commits.submit(item(id), 100));
    if (id < 3) await turn();
  }
  await turn();
  expect(batches.map(({ items }) => items.map(({ id }) => id))).toEqual([[1], [2]]);
  batches[0]?.finish();
  await turn();
  expect(batches[2]?.items.map(({ id }) => id)).toEqual([3, 4, 5, 6]);
  for (let index = 1; index < 4; index += 1) {
    batches[index]?.finish();
    await turn();
  }
  expect(await Promise.all(results)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((id) => ({ ok: true, result: id })),
  );
});

test("items of one event loop turn form one batch, and a second batch waits for enough items", async () => {
  const { commits, batches } = createStore({ minSecondBatchItems: 3 });
  for (const id of [1, 2, 3]) void commits.submit(item(id), 100);
  expect(batches).toEqual([]);
  await turn();
  expect(batches.map(({ items }) => items.length)).toEqual([3]);
  for (const id of [4, 5]) void commits.submit(item(id), 100);
  await turn();
  expect(batches.length).toBe(1);
  void commits.submit(item(6), 100);
  await turn();
  expect(batches.map(({ items }) => items.length)).toEqual([3, 3]);
  void commits.submit(item(7), 100);
  batches[0]?.finish();
  batches[1]?.finish();
  await turn();
  await turn();
  expect(batches.map(({ items }) => items.length)).toEqual([3, 3, 1]);
});

test("a batch stays within its bytes, but always has at least one item", async () => {
  const { commits, batches } = createStore({ maxInFlight: 1 });
  for (const [id, bytes] of [
    [1, 1],
    [2, 500],
    [3, 60],
    [4, 40],
    [5, 1],
  ] as const)
    void commits.submit(item(id, { bytes }), 100);
  await turn();
  for (let index = 0; index < 4; index += 1) {
    batches[index]?.finish();
    await turn();
  }
  expect(batches.map(({ items }) => items.map(({ id }) => id))).toEqual([[1], [2], [3, 4], [5]]);
});

test("beyond its limits it rejects at once, and a full group leaves room for others", async () => {
  const { commits } = createStore({ maxWaitingItems: 5, maxGroupItems: 3, maxWaitingBytes: 50 });
  const reasons = async (...items: Item[]) => {
    const settled = [];
    for (const each of items) {
      const pending = Symbol();
      const first = await Promise.race([commits.submit(each, 100), turn().then(() => pending)]);
      settled.push(typeof first === "symbol" ? "waits" : first.ok || first.reason);
    }
    return settled;
  };
  const groupKey = await reasons(item(1), item(2), item(3), item(4));
  expect(groupKey).toEqual(["waits", "waits", "waits", "group_full"]);
  expect(await reasons(item(5, { groupKey: "b", bytes: 48 }))).toEqual(["full"]);
  expect(
    await reasons(
      item(6, { groupKey: "b" }),
      item(7, { groupKey: "c" }),
      item(8, { groupKey: "d" }),
    ),
  ).toEqual(["waits", "waits", "full"]);
});

test("items time out in the queue and in flight, and late results are dropped", async () => {
  const { commits, batches, setNow } = createStore({ maxInFlight: 1 });
  const patient = commits.submit(item(1), 100);
  await turn();
  const hasty = commits.submit(item(2), 50);
  const other = commits.submit(item(3), 200);
  setNow(50);
  commits.expire();
  expect(await hasty).toEqual({ ok: false, reason: "timeout" });
  setNow(100);
  commits.expire();
  expect(await patient).toEqual({ ok: false, reason: "timeout" });
  expect(commits.waitingItems).toBe(2);
  batches[0]?.finish();
  await turn();
  batches[1]?.finish();
  expect(await other).toEqual({ ok: true, result: 3 });
  await commits.drained();
  expect(commits.waitingItems).toBe(0);
});

test("an error fails the items of its own batch only", async () => {
  const { commits, batches } = createStore();
  const first = [1, 2].map((id) => commits.submit(item(id), 100));
  await turn();
  const second = [3, 4].map((id) => commits.submit(item(id), 100));
  await turn();
  const error = new Error("the connection is gone");
  batches[1]?.finish();
  batches[0]?.finish(error);
  expect(await Promise.all(first)).toEqual(
    [1, 2].map(() => ({ ok: false, reason: "failed", error })),
  );
  expect(await Promise.all(second)).toEqual([3, 4].map((result) => ({ ok: true, result })));
});

test("drained settles at once, after the last batch, or when the last item times out", async () => {
  const { commits, batches } = createStore();
  await commits.drained();
  void commits.submit(item(1), 100);
  let isDrained = false;
  const drained = commits.drained().then(() => {
    isDrained = true;
  });
  await turn();
  expect(isDrained).toBe(false);
  batches[0]?.finish();
  await drained;
});

test("what was answered while its batch failed is not stored by a later part of it", async () => {
  const { commits, batches, setNow } = createStore();
  const responses = [10, 100].map((maxWaitMs, id) => commits.submit(item(id), maxWaitMs));
  await turn();
  setNow(50);
  commits.expire();
  batches[0]?.finish(new ItemFault());
  await turn();
  batches[1]?.finish();
  expect(await Promise.all(responses)).toEqual([
    { ok: false, reason: "timeout" },
    { ok: true, result: 1 },
  ]);
  expect(batches.map(({ items }) => items.map(({ id }) => id))).toEqual([[0, 1], [1]]);
});

test(
  "property: every submit settles once with its own result, " +
    "only bad items fail, and order is preserved",
  async () => {
    const plan = fc.array(
      fc.record({
        bytes: fc.integer({ min: 0, max: 150 }),
        groupKey: fc.constantFrom("a", "b", "c"),
        isPoison: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    const limits = fc.record({
      maxInFlight: fc.integer({ min: 1, max: 3 }),
      minSecondBatchItems: fc.integer({ min: 1, max: 20 }),
      maxBatchItems: fc.integer({ min: 1, max: 9 }),
      maxWaitingItems: fc.integer({ min: 1, max: 60 }),
      maxGroupItems: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(
        plan,
        limits,
        fc.array(fc.nat({ max: 3 })),
        async (items, given, outages) => {
          const stored: number[] = [];
          let calls = 0;
          let inFlight = 0;
          const commits = new GroupCommit<Item, number>({
            store: async (batch) => {
              inFlight += 1;
              expect(inFlight).toBeLessThanOrEqual(given.maxInFlight);
              expect(batch.length).toBeLessThanOrEqual(given.maxBatchItems);
              await Promise.resolve();
              inFlight -= 1;
              calls += 1;
              if (batch.some(({ isPoison }) => isPoison)) throw new ItemFault();
              if (outages.includes(calls % 7)) throw new Error("away");
              stored.push(...batch.map(({ id }) => id));
              return batch.map(({ id }) => id);
            },
            bytesOf: ({ bytes }) => bytes,
            groupKeyOf: ({ groupKey }) => groupKey,
            isItemFault: (error) => error instanceof ItemFault,
            limits: { ...wide, maxWaitingBytes: 4_000, ...given },
            now: () => 0,
          });
          const settled: Committed<number>[] = await Promise.all(
            items.map((each, id) => commits.submit({ ...each, id, rows: 1 }, 100)),
          );
          await commits.drained();
          expect(commits.waitingItems).toBe(0);
          for (const [id, result] of settled.entries()) {
            if (result.ok) expect(result.result).toBe(id);
            if (result.ok) expect(items[id]?.isPoison).toBe(false);
          }
          const accepted = settled.flatMap((result, id) => (result.ok ? [id] : []));
          expect(stored.toSorted((a, b) => a - b)).toEqual(accepted);
          if (given.maxInFlight === 1) expect(stored).toEqual(accepted);
        },
      ),
    );
  },
);
