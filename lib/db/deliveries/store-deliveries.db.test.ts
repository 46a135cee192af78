import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { storeDeliveries } from "./store-deliveries.ts";
import { replaceDeliveries } from "./stored-requests.ts";

const { db, url } = withDatabase({ poolSize: 6 });

test("the same event twice in one batch is accepted once, the first of them, whatever else is in the batch", async () => {
  const hook = await addHook(db);
  await addAction(db, hook);
  await addAction(db, hook);
  const key = (byte: number) => Buffer.alloc(32, byte);
  const batch = [
    newDelivery(hook, { keyHash: key(2), body: Buffer.from("one") }),
    newDelivery(hook, { keyHash: key(1), body: Buffer.alloc(0) }),
    newDelivery(hook, { keyHash: key(2), body: Buffer.from("three") }),
    newDelivery(hook, { status: "rejected", reason: "invalid_json", body: Buffer.from("four!") }),
    newDelivery(hook, { keyHash: key(2) }),
    newDelivery(hook),
  ];
  const [one, two, three, four, five, six] = await storeDeliveries(db, batch);
  expect([one, two, four, six].map((stored) => stored?.duplicateOf)).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect([three, five].map((stored) => stored?.duplicateOf)).toEqual([batch[0]?.id, batch[0]?.id]);
  const rows = await db.delivery.findMany({
    where: { hookId: hook.id },
    orderBy: { id: "asc" },
  });
  expect(rows.map(({ body }) => Buffer.from(body).toString())).toEqual([
    "one",
    "",
    "three",
    "four!",
    "x",
    "x",
  ]);
  expect(rows.map(({ status }) => status)).toEqual([
    "accepted",
    "accepted",
    "duplicate",
    "rejected",
    "duplicate",
    "accepted",
  ]);
  expect(await db.queuedRun.count({ where: { hookId: hook.id } })).toBe(6);
});

test("two processes that store the same keys in opposite order don't deadlock", async () => {
  const hook = await addHook(db);
  const other = createDatabase({ url, poolSize: 2, applicationName: "test-2" });
  const keys = Array.from({ length: 200 }, (_, byte) => Buffer.alloc(32, byte));
  for (let round = 0; round < 5; round += 1) {
    const marked = keys.map((key) => Buffer.concat([Buffer.from([round]), key.subarray(1)]));
    const batch = (hashes: readonly Buffer[]) =>
      hashes.map((keyHash) => newDelivery(hook, { keyHash }));
    const [a, b] = await Promise.all([
      storeDeliveries(db, batch(marked)),
      storeDeliveries(other, batch(marked.toReversed())),
    ]);
    expect([...a, ...b].filter(({ duplicateOf }) => duplicateOf === null).length).toBe(200);
  }
  await other.$disconnect();
});

test("a batch is stored completely or not at all", async () => {
  const hook = await addHook(db);
  const batch = [
    newDelivery(hook, { keyHash: Buffer.alloc(32, 9) }),
    newDelivery(hook, { headersJson: "{bad" }),
  ];
  await expect(storeDeliveries(db, batch)).rejects.toThrow();
  expect(await db.delivery.count({ where: { hookId: hook.id } })).toBe(0);
  expect(
    await db.dedupeKey.count({ where: { key: toDedupeKey(hook.id, Buffer.alloc(32, 9)) } }),
  ).toBe(0);
});

test("two processes that store crossing keys accept no key twice and never deadlock", async () => {
  const hook = await addHook(db);
  await addAction(db, hook);
  const other = createDatabase({ url, poolSize: 2, applicationName: "test-2" });
  for (let round = 0; round < 6; round += 1) {
    const hash = (kind: number) => {
      const bytes = Buffer.alloc(32, kind);
      bytes.writeUInt16BE(randomInt(40), 1);
      bytes.writeUInt8(round, 4);
      return bytes;
    };
    const batch = () =>
      Array.from({ length: 120 }, () =>
        newDelivery(hook, { keyHash: hash(1), replayHash: hash(2) }),
      );
    const batches = [batch(), batch(), batch()];
    const stored = (
      await Promise.all(
        batches.map((rows, index) => storeDeliveries(index === 1 ? other : db, rows)),
      )
    ).flat();
    const accepted = batches.flat().filter((_row, index) => stored[index]?.duplicateOf === null);
    for (const field of ["keyHash", "replayHash"] as const) {
      const keys = accepted.map((row) => Buffer.from(row[field] ?? []).toString("hex"));
      expect(new Set(keys).size).toBe(accepted.length);
    }
    // No delivery is a duplicate without a reason.
    const rows = new Map(batches.flat().map((row) => [row.id, row]));
    for (const { id, duplicateOf } of stored) {
      const [row, original] = [rows.get(id), rows.get(duplicateOf ?? id)];
      const isSame = (field: "keyHash" | "replayHash") =>
        row?.[field]?.toString() === original?.[field]?.toString();
      expect(isSame("keyHash") || isSame("replayHash")).toBe(true);
    }
    const runs = await db.queuedRun.count({
      where: { deliveryId: { in: batches.flat().map(({ id }) => id) } },
    });
    expect(runs).toBe(accepted.length);
  }
  await other.$disconnect();
});

test("a window counts from when deliveries were received, however late and in whatever order they are stored", async () => {
  const hook = await addHook(db);
  const receivedBefore = (seconds: number, key: number) =>
    newDelivery(hook, {
      keyHash: Buffer.alloc(32, key),
      withinSeconds: 240,
      receivedAtMs: Date.now() - seconds * 1_000,
    });
  const originals = async (deliveries: readonly ReturnType<typeof newDelivery>[]) => {
    const found: (string | null | undefined)[] = [];
    for (const delivery of deliveries)
      found.push((await storeDeliveries(db, [delivery]))[0]?.duplicateOf);
    return found;
  };
  const [first, again, other, now] = [600, 400, 300, 0].map((ago) => receivedBefore(ago, 1));
  if (!first || !again || !other || !now) throw new Error("There are four");
  expect(await originals([first, again, other, now])).toEqual([null, first.id, null, null]);
  // Of another process, which stores its older one later.
  const [newer, older, repeated] = [50, 600, 0].map((ago) => receivedBefore(ago, 2));
  if (!newer || !older || !repeated) throw new Error("There are three");
  expect(await originals([newer, older, repeated])).toEqual([null, null, older.id]);
});

test("requests that waited longer apart than their window are events of their own, in their order", async () => {
  const hook = await addHook(db);
  await addAction(db, hook);
  const waiting = [600, 500, 100].map((seconds) => {
    const receivedAtMs = Date.now() - seconds * 1_000 - 0.25;
    return newDelivery(hook, { receivedAtMs, status: "pending" });
  });
  await storeDeliveries(db, waiting);
  const window = { keyHash: Buffer.alloc(32, 1), withinSeconds: 240 };
  const accepted = waiting.map((one) => ({ ...one, ...window, status: "accepted" as const }));
  const stored = await db.$transaction((tx) => replaceDeliveries(tx, accepted));
  expect(stored).toEqual([
    { id: waiting[0]?.id, duplicateOf: null },
    { id: waiting[1]?.id, duplicateOf: waiting[0]?.id },
    { id: waiting[2]?.id, duplicateOf: null },
  ]);
  expect(await db.queuedRun.count({ where: { hookId: hook.id } })).toBe(2);
});
