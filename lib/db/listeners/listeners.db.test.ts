import { Client } from "pg";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { removeDelivery } from "#lib/db/deliveries/delete-delivery.ts";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { deleteConnection, insertConnection } from "./connections.ts";
import { deleteListener, getListener, insertListener } from "./listeners.ts";
import {
  giveOutPositions,
  hearAgain,
  hearSince,
  readHeads,
  waitForStores,
} from "./log-positions.ts";
import { purgeListeners } from "./purge-listeners.ts";
import { acknowledgeFrames } from "./responses.ts";
import { readFrames, takeFrames } from "./take-frames.ts";

const database = withDatabase({ poolSize: 8 });
let hook: HookRecord;
let other: HookRecord;

beforeAll(async () => {
  other = await addHook(database.db);
});
beforeEach(async () => {
  hook = await addHook(database.db);
});

async function addListener(fields: { eventTypes?: string[] } = {}, isExact = false) {
  const id = newId();
  await database.db.$transaction(async (tx) => {
    if (isExact) await waitForStores(tx, hook.accountId);
    const readPosition = await giveOutPositions(tx, hook.accountId);
    const owner = { ownerId: newId(), ownerName: "Ada", name: "laptop", accountId: hook.accountId };
    await insertListener(tx, {
      id,
      ...owner,
      hookIds: [hook.id],
      eventTypes: [],
      readPosition,
      ...fields,
    });
  });
  return id;
}

async function connect(listenerId: string, isShared = false): Promise<string> {
  const id = newId();
  const { accountId } = hook;
  await database.db.$transaction((tx) =>
    insertConnection(tx, { id, accountId, listenerId, host: "ada.local", isShared }),
  );
  return id;
}

/** The ids of all that the connection hasn't acknowledged, once nothing more comes. */
async function read(listenerId: string, connectionId: string, max = 64) {
  await readHeads(database.db, [hook.accountId]);
  const of = { accountId: hook.accountId, listenerId, connectionId };
  while ((await takeFrames(database.db, { ...of, maxUnacknowledged: max })) === "more");
  const limits = { afterCursor: 0n, limit: 1_000, maxBodyBytes: 262_144, maxBytes: 1e9 };
  return await readFrames(database.db, { ...of, ...limits });
}

async function acknowledge(
  listenerId: string,
  frames: Awaited<ReturnType<typeof read>>,
  connectionId = newId(),
) {
  const of = { accountId: hook.accountId, listenerId, connectionId };
  return await acknowledgeFrames(
    database.db,
    of,
    frames.map(({ cursor, deliveryId }) => ({ cursor, deliveryId, response })),
  );
}

const response = { status: 200, headers: [], bodyBase64: "", bodyBytes: 0, durationMs: 1 };

const ids = (frames: readonly { deliveryId: string }[]) => frames.map((frame) => frame.deliveryId);
const store = async (...deliveries: NewDelivery[]) => {
  await storeDeliveries(database.db, deliveries);
  return deliveries.map(({ id }) => id);
};

it("a delivery that commits after a newer one is heard, and nothing waits for it", async () => {
  const listener = await addListener();
  const connection = await connect(listener);
  const early = newDelivery(hook);
  const late = newDelivery(hook);
  const committed = Promise.withResolvers<void>();
  const isStored = Promise.withResolvers<void>();
  const storing = database.db.$transaction(async (tx) => {
    await storeDeliveries(tx, [early]);
    isStored.resolve();
    await committed.promise;
  });
  await isStored.promise;
  await store(late);
  const first = await read(listener, connection);
  expect(ids(first)).toEqual([late.id]);
  await acknowledge(listener, first);
  committed.resolve();
  await storing;
  expect(ids(await read(listener, connection))).toEqual([early.id]);
});

it("under concurrent batches of several hooks, every accepted delivery is heard once, in one order by all", async () => {
  const listeners = await Promise.all([addListener(), addListener()]);
  const connections = await Promise.all(listeners.map((id) => connect(id)));
  const batches = Array.from({ length: 60 }, (_, batch) =>
    Array.from({ length: 5 }, (_, index) => newDelivery(index === 4 && batch % 2 ? other : hook)),
  );
  const heard: string[][] = [[], []];
  const drain = async () => {
    for (const [place, listener] of listeners.entries()) {
      const frames = await read(listener, connections[place] ?? "", 40);
      heard[place]?.push(...ids(frames));
      await acknowledge(listener, frames);
    }
  };
  const storing = Promise.all(batches.map((batch) => storeDeliveries(database.db, batch)));
  for (let round = 0; round < 10; round += 1) await drain();
  await storing;
  for (let round = 0; round < 12; round += 1) await drain();
  const wanted = batches.flat().filter(({ hookId }) => hookId === hook.id);
  expect(heard[0]?.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
  expect(heard[1]).toEqual(heard[0]);
});

it("hears accepted ones of its hook and types, with their bytes, and not those before it", async () => {
  await store(newDelivery(hook));
  const listener = await addListener({ eventTypes: ["paid"] });
  const connection = await connect(listener);
  const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const headersJson = '[["X-A","1"],["x-a","2"],["X-Signature","t=1,v1=é"]]';
  const wanted = newDelivery(hook, { eventType: "paid", body, headersJson, query: "a=1" });
  const key = { keyHash: Buffer.alloc(32, 7), eventType: "paid" };
  const [, , first] = await store(
    newDelivery(hook, { eventType: "made" }),
    wanted,
    newDelivery(hook, key),
    newDelivery(hook, { ...key, status: "rejected" }),
    newDelivery(other, { eventType: "paid" }),
  );
  await store(newDelivery(hook, key));
  const frames = await read(listener, connection);
  expect(ids(frames)).toEqual([wanted.id, first]);
  expect(Buffer.from(frames[0]?.body ?? [])).toEqual(body);
  expect(frames[0]?.headersJson).toBe(headersJson);
});

it("has at most so many without an acknowledgment, and goes on after it", async () => {
  const listener = await addListener();
  const connection = await connect(listener);
  const stored = await store(...Array.from({ length: 10 }, () => newDelivery(hook)));
  const first = await read(listener, connection, 4);
  expect(ids(first)).toEqual(stored.slice(0, 4));
  expect(ids(await read(listener, connection, 4))).toEqual(stored.slice(0, 4));
  expect(await acknowledge(listener, first.slice(0, 3))).toHaveLength(3);
  expect(ids(await read(listener, connection, 4))).toEqual(stored.slice(3, 7));
});

it("another machine gets what the first one didn't acknowledge, and then the backlog", async () => {
  const listener = await addListener();
  const laptop = await connect(listener);
  const stored = await store(newDelivery(hook), newDelivery(hook), newDelivery(hook));
  const [first] = await read(listener, laptop, 2);
  if (first === undefined) throw new Error("nothing came");
  await acknowledge(listener, [first]);
  stored.push(...(await store(newDelivery(hook))));
  const of = { accountId: hook.accountId, listenerId: listener, connectionId: laptop };
  await deleteConnection(database.db, of);
  const desktop = await connect(listener);
  const frames = await read(listener, desktop);
  expect(ids(frames)).toEqual(stored.slice(1));
  // The cursor was given out again, for another hand-over.
  expect(await acknowledge(listener, [{ ...first, cursor: 2n }])).toEqual([]);
  expect(await acknowledge(listener, frames)).toHaveLength(3);
});

it("shared connections split the frames, and the others get those of one that is gone", async () => {
  const listener = await addListener();
  const [one, two] = [await connect(listener, true), await connect(listener, true)];
  const stored = await store(...Array.from({ length: 6 }, () => newDelivery(hook)));
  const parts = [await read(listener, one, 3), await read(listener, two, 3)];
  expect(parts.flatMap(ids)).toEqual(stored);
  await acknowledge(listener, parts[1] ?? []);
  await database.db.listenerConnection.update({
    where: { id: one },
    data: { seenAt: new Date(0) },
  });
  expect(ids(await read(listener, two, 3))).toEqual(stored.slice(0, 3));
  expect(await read(listener, one, 3)).toEqual([]);
});

it("from a time: what was accepted since and everything later, each once, while deliveries come", async () => {
  await store(newDelivery(hook));
  const fromId = newId();
  const old = Array.from({ length: 20 }, () => newDelivery(hook));
  const during = Array.from({ length: 30 }, () => newDelivery(hook));
  await storeDeliveries(database.db, old);
  const storing = Promise.all(during.map((each) => storeDeliveries(database.db, [each])));
  const { accountId } = hook;
  const listener = await addListener({}, true);
  const wanted = { accountId, listenerId: listener, hookIds: [hook.id], eventTypes: [], fromId };
  const isDone = await database.db.$transaction((tx) => hearSince(tx, { ...wanted, limit: 1_000 }));
  expect(isDone).toBe(true);
  await storing;
  const connection = await connect(listener);
  const frames = await read(listener, connection, 1_000);
  expect(ids(frames).toSorted()).toEqual([...old, ...during].map(({ id }) => id).toSorted());
  expect(ids(frames).slice(0, 20)).toEqual(old.map(({ id }) => id));
  const tooMany = database.db.$transaction((tx) =>
    hearSince(tx, { ...wanted, fromId: idFloor(0), limit: 3 }),
  );
  expect(await tooMany).toBe(false);
});

it("hears a delivery again, alone or with all that listen", async () => {
  const [one, two] = [await addListener(), await addListener()];
  const [a, b] = [await connect(one), await connect(two)];
  const [id = ""] = await store(newDelivery(hook));
  for (const [listener, connection] of [[one, a] as const, [two, b] as const])
    await acknowledge(listener, await read(listener, connection));
  const again = { accountId: hook.accountId, deliveryIds: [id] };
  expect(await hearAgain(database.db, { ...again, listenerId: one })).toBe(1);
  expect([ids(await read(one, a)), ids(await read(two, b))]).toEqual([[id], []]);
  await hearAgain(database.db, { ...again, listenerId: null });
  expect([ids(await read(one, a)), ids(await read(two, b))]).toEqual([[id, id], [id]]);
  expect(
    await hearAgain(database.db, { ...again, accountId: other.accountId, listenerId: null }),
  ).toBe(0);
});

it("removes what no one will read, and nothing that a listener waits for", async () => {
  const [kept, unnamed] = [await addListener(), await addListener()];
  const { db } = database;
  const connection = await connect(kept);
  const stored = await store(newDelivery(hook), newDelivery(hook));
  await acknowledge(kept, (await read(kept, connection)).slice(0, 1));
  const counts = async () => [
    await db.listenerLog.count({ where: { accountId: hook.accountId } }),
    await db.listenerInbox.count({ where: { accountId: hook.accountId } }),
    await db.listener.count({ where: { accountId: hook.accountId } }),
  ];
  await db.listener.update({ where: { id: unnamed }, data: { name: null } });
  await purgeListeners(db);
  expect(await counts()).toEqual([2, 0, 2]);
  await db.listener.updateMany({
    where: { accountId: hook.accountId },
    data: { seenAt: new Date(Date.now() - 2 * 3_600_000) },
  });
  await purgeListeners(db);
  expect(await counts()).toEqual([0, 0, 1]);
  expect(ids(await read(kept, connection))).toEqual(stored.slice(1));
  await store(newDelivery(hook));
  await db.$transaction((tx) => deleteListener(tx, hook.accountId, kept));
  await purgeListeners(db);
  expect(await counts()).toEqual([0, 0, 0]);
  await store(newDelivery(hook));
  expect(await counts()).toEqual([0, 0, 0]);
  await expect(getListener(db, hook.accountId, kept)).rejects.toMatchObject({ code: "not_found" });
});

it("keeps the latest response through each listener for a week, or as long as the delivery is stored", async () => {
  const [{ db }, { accountId }] = [database, hook];
  const listener = await addListener();
  const connection = await connect(listener);
  const [first = "", second = ""] = await store(newDelivery(hook), newDelivery(hook));
  for (let times = 0; times < 2; times += 1) {
    await acknowledge(listener, await read(listener, connection), connection);
    await hearAgain(db, { accountId, deliveryIds: [first], listenerId: listener });
  }
  const kept = async () => ids(await db.listenerResponse.findMany({ where: { accountId } }));
  expect((await kept()).toSorted()).toEqual([first, second]);
  await db.$transaction((tx) => removeDelivery(tx, accountId, first));
  expect(await kept()).toEqual([second]);
  await db.$executeRaw`update listener_responses set responded_at = now() - interval '8 days'`;
  await purgeListeners(db);
  expect(await kept()).toEqual([]);
});

it("a transaction elsewhere that lasts for hours delays nothing", async () => {
  const listener = await addListener();
  const connection = await connect(listener);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin; create table of_others (id int); select pg_current_xact_id()");
  const stored = await store(newDelivery(hook));
  expect(ids(await read(listener, connection))).toEqual(stored);
  await client.query("rollback");
  await client.end();
});
