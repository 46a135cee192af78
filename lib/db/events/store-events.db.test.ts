import { expect, test } from "vitest";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { isTooManySends } from "./enqueue-sends.ts";
import { storeEvents } from "./store-events.ts";

const { db, url } = withDatabase({ poolSize: 8 });

/** The subscriptions that got a run of the event, in the order of its run ids. */
async function targetsOf(eventId: string): Promise<string[]> {
  const runs = await db.queuedRun.findMany({ where: { eventId }, orderBy: { id: "asc" } });
  return runs.map(({ targetId }) => targetId);
}

test("an event goes to 3 of 5 subscriptions, by its type, and to no other recipient or account", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  const add = (eventTypes: string[], fields = {}) =>
    addSubscription(db, account, { recipient: "cust_1", eventTypes, ...fields });
  const exact = await add(["invoice.paid", "invoice.*"]);
  const prefix = await add(["order.created", "invoice.*"]);
  const all = await add(["*"]);
  await add(["invoice.payment.*"]);
  await add(["order.*", "invoice"]);
  for (const status of ["disabled", "pending"] as const) await add(["*"], { status });
  await add(["*"], { deletedAt: new Date() });
  for (const recipient of ["cust_2", "cust_", "Cust_1", null])
    await add(["*", "invoice.paid"], { recipient });
  await addSubscription(db, other, { recipient: "cust_1" });
  const event = newEvent(account, { recipient: "cust_1" });
  expect(await storeEvents(db, [event])).toEqual([{ outcome: "stored", runs: 3 }]);
  expect(await targetsOf(event.id)).toEqual([exact, prefix, all]);
});

test("an event without a recipient only goes to subscriptions without one", async () => {
  const account = await addAccount(db);
  const general = await addSubscription(db, account);
  await addSubscription(db, account, { recipient: "cust_1" });
  const event = newEvent(account);
  await storeEvents(db, [event]);
  expect(await targetsOf(event.id)).toEqual([general]);
});

test("events of several accounts are stored in one statement, each as it was published", async () => {
  const [a, b] = [await addAccount(db), await addAccount(db)];
  const ofA = await addSubscription(db, a, { eventTypes: ["invoice.*"] });
  const ofB = await addSubscription(db, b, { recipient: "x" });
  const events = [
    newEvent(a, { dataJson: '{"é":1.10}', occurredAtMs: 1_700_000_000_123, publicId: "evt_1" }),
    newEvent(b, { recipient: "x", warning: "data.id: must be text" }),
    newEvent(a, { type: "order.created", publicId: 'evt:"2' }),
    newEvent(b, { recipient: "y" }),
  ];
  const [first, second, third, fourth] = events;
  const stored = await storeEvents(db, events);
  expect(stored).toEqual([1, 1, 0, 0].map((runs) => ({ outcome: "stored", runs })));
  expect(await targetsOf(first?.id ?? "")).toEqual([ofA]);
  expect(await targetsOf(second?.id ?? "")).toEqual([ofB]);
  const rows = await db.event.findMany({ where: { accountId: { in: [a, b] } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  expect(byId.get(first?.id ?? "")).toMatchObject({
    accountId: a,
    publicId: "evt_1",
    type: "invoice.paid",
    recipient: null,
    occurredAt: new Date(1_700_000_000_123),
    body: new Uint8Array(Buffer.from(first?.body ?? "")),
    warning: null,
    deliveryId: null,
  });
  expect(byId.get(second?.id ?? "")).toMatchObject({
    recipient: "x",
    occurredAt: null,
    warning: "data.id: must be text",
  });
  expect(byId.get(third?.id ?? "")?.publicId).toBe('evt:"2');
  expect(byId.has(fourth?.id ?? "")).toBe(true);
  const [run] = await db.queuedRun.findMany({ where: { eventId: first?.id ?? "" } });
  expect(run).toMatchObject({
    accountId: a,
    hookId: null,
    deliveryId: null,
    bodySize: Buffer.byteLength(first?.body ?? ""),
    hasOwnId: false,
    position: null,
  });
});

test("the same id with the same content is stored once, and with other content it's a conflict", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  await addSubscription(db, account);
  const publish = (dataJson: string, of = account) => newEvent(of, { publicId: "evt_1", dataJson });
  const batch = [publish("1"), publish("1"), publish("2"), publish("1", other), newEvent(account)];
  expect(await storeEvents(db, batch)).toEqual([
    { outcome: "stored", runs: 1 },
    { outcome: "duplicate" },
    { outcome: "conflict" },
    { outcome: "stored", runs: 0 },
    { outcome: "stored", runs: 1 },
  ]);
  expect(await storeEvents(db, [publish("1"), publish("1.0")])).toEqual([
    { outcome: "duplicate" },
    { outcome: "conflict" },
  ]);
  expect(await db.event.count({ where: { accountId: account } })).toBe(2);
  expect(await db.queuedRun.count({ where: { accountId: account } })).toBe(2);
});

test("events with more sends than allowed are not stored, and the error says so", async () => {
  const account = await addAccount(db);
  for (const ordered of [false, true]) await addSubscription(db, account, { ordered });
  const events = [newEvent(account, { publicId: "evt_1" }), newEvent(account)];
  const failed = await storeEvents(db, events, 3).catch((error: unknown) => error);
  expect(isTooManySends(failed)).toBe(true);
  const where = { accountId: account };
  expect(await db.event.count({ where })).toBe(0);
  expect(await db.queuedRun.count({ where })).toBe(0);
  const stored = { outcome: "stored", runs: 2 };
  expect(await storeEvents(db, events, 4)).toEqual([stored, stored]);
});

test("batches with the same ids in opposite order, at the same time, store each event once", async () => {
  const account = await addAccount(db);
  await addSubscription(db, account, { ordered: true });
  const other = createDatabase({ url, poolSize: 2, applicationName: "test-2" });
  for (let round = 0; round < 5; round += 1) {
    const publish = () =>
      Array.from({ length: 200 }, (_, index) =>
        newEvent(account, { publicId: `evt_${round}_${index}` }),
      );
    const results = await Promise.all([
      storeEvents(db, publish()),
      storeEvents(other, publish().toReversed()),
      storeEvents(db, publish()),
    ]);
    const outcomes = results.flat().map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "stored").length).toBe(200);
    expect(outcomes.filter((outcome) => outcome === "duplicate").length).toBe(400);
  }
  expect(await db.event.count({ where: { accountId: account } })).toBe(1000);
  expect(await db.queuedRun.count({ where: { accountId: account } })).toBe(1000);
  await other.$disconnect();
});

test("positions of ordered subscriptions follow the commits of 8 writers, without gaps", async () => {
  const account = await addAccount(db);
  const ordered = [
    await addSubscription(db, account, { ordered: true }),
    await addSubscription(db, account, { ordered: true, eventTypes: ["a.*"] }),
    await addSubscription(db, account, { ordered: true, eventTypes: ["b.*"] }),
  ];
  await addSubscription(db, account);
  const commits: string[][] = [];
  const write = async (writer: number) => {
    for (let round = 0; round < 15; round += 1) {
      const types = writer % 2 === 0 ? ["a.x", "b.x", "a.y"] : ["b.x", "a.x", "b.y", "b.z"];
      const events = types.map((type) => newEvent(account, { type }));
      await storeEvents(db, events);
      commits.push(events.map(({ id }) => id));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  for (const targetId of ordered) {
    const runs = await db.$queryRaw<{ event: string; position: bigint; xid: number }[]>`
      select event_id as event, position, xmin::text::int as xid from queue
      where target_id = ${targetId}::uuid order by position`;
    expect(runs.map(({ position }) => Number(position))).toEqual(runs.map((_, index) => index + 1));
    // Each batch is in one piece, in the order of its events.
    const byEvent = new Map(runs.map(({ event, position }) => [event, Number(position)]));
    for (const batch of commits) {
      const places = batch.flatMap((id) => byEvent.get(id) ?? []);
      expect(places).toEqual(places.map((_, index) => (places[0] ?? 0) + index));
    }
    // Runs are ordered by commit: a transaction that started earlier may have committed later.
    const transactions = runs.map(({ xid }) => xid);
    expect(new Set(transactions.filter((xid, at) => xid !== transactions[at - 1])).size).toBe(
      new Set(transactions).size,
    );
  }
  const [plain] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int from queue where account_id = ${account}::uuid and position is null`;
  expect(plain?.count).toBe(8 * 15 * 3.5);
});

test("a batch whose transaction is open holds back the positions of the next one", async () => {
  const account = await addAccount(db);
  const target = await addSubscription(db, account, { ordered: true });
  const [first, second] = [newEvent(account), newEvent(account)];
  const opened = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const slow = db.$transaction(async (tx) => {
    await storeEvents(tx, [first]);
    opened.resolve();
    await release.promise;
  });
  await opened.promise;
  const fast = storeEvents(db, [second]);
  let isStored = false;
  fast.then(
    () => {
      isStored = true;
    },
    () => {},
  );
  await expect.poll(async () => isStored || (await countWaiting(db)) === 1).toBe(true);
  expect(isStored).toBe(false);
  release.resolve();
  await Promise.all([slow, fast]);
  const runs = await db.queuedRun.findMany({
    where: { targetId: target },
    orderBy: { position: "asc" },
  });
  expect(runs.map(({ eventId }) => eventId)).toEqual([first.id, second.id]);
});
