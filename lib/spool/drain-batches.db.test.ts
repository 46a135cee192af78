import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { removeHookDeliveriesBefore } from "#lib/db/hooks/hook-retention.ts";
import { isDataError } from "#lib/db/postgres/sql-state.ts";
import { findStoredIds, recordResponseTimes } from "#lib/db/spool/spooled-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { drainBatches, type SpoolDatabase } from "./drain-batches.ts";

const { db } = withDatabase();

const database: SpoolDatabase = {
  store: (deliveries) => storeDeliveries(db, deliveries),
  findStored: (deliveries) => findStoredIds(db, deliveries),
  recordResponseTimes: (responses) => recordResponseTimes(db, responses),
  isItemFault: isDataError,
};
const noSetAside = {
  isToSetAside: () => false,
  setAside: () => Promise.reject(new Error("Nothing is refused")),
};

test("events that waited together are as many as they would have been without the wait", async () => {
  const hook = await addHook(db);
  const startMs = Date.now() - 900_000;
  const deliveries = [0, 10, 300, 310, 600].map((seconds) => {
    const receivedAtMs = startMs + seconds * 1_000;
    const event = { keyHash: Buffer.alloc(32, 1), withinSeconds: 240, receivedAtMs };
    // One came in a batch.
    return seconds === 600
      ? newDelivery(hook, { status: "batch", receivedAtMs, events: [newDelivery(hook, event)] })
      : newDelivery(hook, event);
  });
  const batches = [deliveries.slice(0, 2), deliveries.slice(2)].map((some) => ({
    atMs: startMs,
    deliveries: some,
  }));
  expect(await drainBatches(batches, noSetAside, database)).toBe(0);
  const stored = await readDeliveries(db, hook);
  expect(stored.map(({ status }) => status)).toEqual([
    "accepted",
    "duplicate",
    "accepted",
    "duplicate",
    "accepted",
    "batch",
  ]);
});

test("what is read again after retention removed it doesn't run again", async () => {
  const hook = await addHook(db);
  const deliveries = [newDelivery(hook, { keyHash: Buffer.alloc(32, 2) })];
  const batches = [{ atMs: Date.now(), deliveries }];
  await drainBatches(batches, noSetAside, database);
  const end = idFloor(Date.now() + 1_000);
  await removeHookDeliveriesBefore(db, hook.id, {
    end,
    byCount: end,
    storedBefore: new Date(),
  });
  expect(await readDeliveries(db, hook)).toEqual([]);
  await drainBatches(batches, noSetAside, database);
  expect(await readDeliveries(db, hook)).toEqual([]);
});

test("a clock that was set between the request and the response stops nothing", async () => {
  const hook = await addHook(db);
  const receivedAtMs = Date.now() - 40 * 86_400_000;
  const deliveries = [newDelivery(hook, { receivedAtMs })];
  await drainBatches([{ atMs: Date.now(), deliveries }], noSetAside, database);
  const [stored] = await readDeliveries(db, hook);
  expect(stored?.responseMs).toBe(2_000_000_000);
});

test("hours that were counted before their deliveries were stored are counted again", async () => {
  const hook = await addHook(db);
  const hourMs = 3_600_000;
  const startMs = Math.floor(Date.now() / hourMs) * hourMs;
  const countedUntil = new Date(startMs - hourMs);
  for (const hours of [2, 3])
    await db.$executeRaw`
      insert into statistics_hours (hour, counted_until) values (${new Date(startMs - hours * hourMs)}, ${countedUntil})`;
  const atMs = startMs - 2 * hourMs;
  const id = idFloor(atMs).slice(0, 14) + newId().slice(14);
  const deliveries = [newDelivery(hook, { id, receivedAtMs: atMs })];
  await drainBatches([{ atMs, deliveries }], noSetAside, database);
  const hours = await db.$queryRaw<{ isDue: boolean }[]>`
    select recount_at is not null as "isDue" from statistics_hours order by hour desc`;
  expect(hours).toEqual([{ isDue: true }, { isDue: false }]);
});

test("one that a trigger always rejects keeps its place until the operator asks to set it aside", async () => {
  const hook = await addHook(db);
  await db.$executeRawUnsafe(`
    create function reject() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`);
  await db.$executeRawUnsafe(`
    create trigger reject before insert on deliveries for each row when (new.event_type = 'bad') execute function reject()`);
  const deliveries = ["good", "bad", "good"].map((eventType) => newDelivery(hook, { eventType }));
  const [first, bad, last] = deliveries;
  const batches = [{ atMs: Date.now(), deliveries }];
  const readIds = async () => (await readDeliveries(db, hook)).map(({ id }) => id);
  await expect(drainBatches(batches, noSetAside, database)).rejects.toThrow("not this one");
  expect(await readIds()).toEqual([first?.id]);
  const aside: [string, string][] = [];
  const asked = {
    isToSetAside: (id: string) => id === bad?.id,
    setAside: async ({ id }: { readonly id: string }, reason: string) =>
      void aside.push([id, reason]),
  };
  expect(await drainBatches(batches, asked, database)).toBe(1);
  expect(aside).toEqual([[bad?.id, "P0001"]]);
  expect((await readIds()).toSorted()).toEqual([first?.id, last?.id].toSorted());
});
