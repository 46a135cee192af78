import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { Outage } from "#lib/db/problems/outages.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import type { SpoolDatabase } from "./drain-batches.ts";
import { FileSpool } from "./file-spool.ts";
import { SpoolingStore } from "./spooling-store.ts";
import { testKeys } from "./testing/test-keys.ts";

const hook = { id: newId(), accountId: newId() };
const itemFault = new Error("this delivery can't be stored");
const disk = { isLow: () => false, stop: () => {} };
let folder: string;
let spool: FileSpool;
let stored: string[];
let responseTimes: number[];
/** How the database behaves. */
let state: { isDown: boolean; gate: Promise<void> | null; bad: string | null };
let store: SpoolingStore;
let outages: Outage[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  stored = [];
  responseTimes = [];
  outages = [];
  state = { isDown: false, gate: null, bad: null };
  await start();
});
afterEach(async () => {
  state = { isDown: false, gate: null, bad: null };
  await store.stop();
  rmSync(folder, { recursive: true });
});

async function start(maxBytes = 1e9): Promise<void> {
  spool = await FileSpool.open({ folder, maxBytes, disk, now: Date.now, keys: testKeys });
  const database: SpoolDatabase = {
    store: storeAtOnce,
    findStored: async (deliveries) => {
      if (state.isDown) throw new Error("down");
      return new Set(deliveries.map(({ id }) => id).filter((id) => stored.includes(id)));
    },
    recordResponseTimes: async (responses) => {
      responseTimes.push(...responses.map(({ ms }) => ms));
    },
    isItemFault: (error) => error === itemFault,
  };
  store = new SpoolingStore(spool, database, (outage) => outages.push(outage));
}

async function storeAtOnce(deliveries: readonly NewDelivery[]): Promise<StoredDelivery[]> {
  if (state.isDown) throw new Error("down");
  if (deliveries.some(({ id }) => id === state.bad)) throw itemFault;
  await state.gate;
  // The unique key of the table.
  if (deliveries.some(({ id }) => stored.includes(id))) throw new Error("stored twice");
  stored.push(...deliveries.map(({ id }) => id));
  return deliveries.map(({ id }) => ({ id, duplicateOf: null }));
}

function make(count: number): NewDelivery[] {
  return Array.from({ length: count }, () => newDelivery(hook));
}

const idsOf = (deliveries: readonly NewDelivery[]) => deliveries.map(({ id }) => id);
const untilDrained = () => expect.poll(() => spool.state.deliveries).toBe(0);

test("what an earlier process left is no outage, if the database works", async () => {
  state.isDown = true;
  await store.store(make(2));
  await store.stop();
  expect(outages).toEqual([]);
  state.isDown = false;
  await start();
  await untilDrained();
  expect(outages).toEqual([]);
});

test("without any trouble, nothing goes to the spool", async () => {
  const [one] = make(1);
  if (one === undefined) throw new Error("It has one");
  expect(await store.store([one])).toEqual([{ id: one.id, duplicateOf: null }]);
  expect([store.counts.spooled, stored]).toEqual([0, [one.id]]);
});

test("while anything waits, new batches go behind it, and all are stored in order", async () => {
  state.isDown = true;
  const batches = [make(2), make(1), make(3)];
  for (const batch of batches.slice(0, 2))
    expect(await store.store(batch)).toEqual(
      idsOf(batch).map((id) => ({ id, duplicateOf: null, isSpooled: true })),
    );
  expect([store.isAway, spool.state.deliveries]).toEqual([true, 3]);
  const opening = Promise.withResolvers<void>();
  state = { ...state, isDown: false, gate: opening.promise };
  // The database works again, but what waits isn't stored yet.
  const last = await store.store(batches[2] ?? []);
  expect(last.every(({ isSpooled }) => isSpooled === true)).toBe(true);
  opening.resolve();
  await expect.poll(() => store.counts.drained).toBe(6);
  expect(stored).toEqual(batches.flatMap(idsOf));
  expect(store.counts).toEqual({ spooled: 6, drained: 6, setAside: 0 });
  await expect.poll(() => outages).toMatchObject([{ deliveries: 6 }]);
  await expect.poll(async () => (await store.store(make(1)))[0]?.isSpooled).toBeUndefined();
  expect(store.isAway).toBe(false);
});

test("a statement that is only late is answered from the spool, and isn't stored twice", async () => {
  const opening = Promise.withResolvers<void>();
  state.gate = opening.promise;
  const batch = make(2);
  const [first] = await store.store(batch);
  expect([first?.isSpooled, stored]).toEqual([true, []]);
  opening.resolve();
  await untilDrained();
  expect(stored).toEqual(idsOf(batch));
});

test("after a crash between the commit and the removal, nothing is stored again", async () => {
  state.isDown = true;
  const batch = make(2);
  await store.store(batch);
  await store.stop();
  stored = idsOf(batch);
  state.isDown = false;
  await start();
  await untilDrained();
  expect(stored).toEqual(idsOf(batch));
});

test("what an earlier process left comes before everything new", async () => {
  state.isDown = true;
  const old = make(2);
  await store.store(old);
  await store.stop();
  await start();
  const fresh = make(1);
  expect((await store.store(fresh))[0]?.isSpooled).toBe(true);
  state.isDown = false;
  await untilDrained();
  expect(stored).toEqual([...idsOf(old), ...idsOf(fresh)]);
});

test("a delivery that can't be stored for good is set aside, and the others are stored", async () => {
  state.isDown = true;
  const batch = make(5);
  await store.store(batch);
  state = { ...state, isDown: false, bad: batch[3]?.id ?? "" };
  await untilDrained();
  expect(stored).toEqual(idsOf(batch).filter((id) => id !== state.bad));
  await expect.poll(() => store.counts.setAside).toBe(1);
  expect(spool.state.setAside).toBe(1);
});

test("a batch with such a delivery isn't spooled while the database works", async () => {
  const batch = make(2);
  state.bad = batch[1]?.id ?? "";
  await expect(store.store(batch)).rejects.toBe(itemFault);
  expect(store.counts.spooled).toBe(0);
});

test("once the spool is full, the provider has to send it again, and nothing is acknowledged", async () => {
  await store.stop();
  await start(600);
  state.isDown = true;
  const first = make(1);
  await store.store(first);
  await expect(store.store(make(1))).rejects.toThrow("full");
  state.isDown = false;
  await untilDrained();
  expect(stored).toEqual(idsOf(first));
});

test("the time until the response is that of the provider, not of the database", async () => {
  state.isDown = true;
  await store.store([newDelivery(hook, { receivedAtMs: Date.now() - 90 })]);
  state.isDown = false;
  await untilDrained();
  expect(responseTimes[0]).toBeGreaterThanOrEqual(90);
});
