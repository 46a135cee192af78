import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { listKnownTypes } from "./known-types.ts";
import { countEvents } from "./list-events.ts";
import { countSends, readEventStarts } from "./list-parts.ts";
import { storeEvents } from "./store-events.ts";

const { db } = withDatabase({ poolSize: 4 });

test("known types are each published one once and the catalog's, in order, and no other account's", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  expect(await listKnownTypes(db, account, 10)).toEqual([]);
  const published = ["b.two", "a.one", "b.two", "c.three"];
  await storeEvents(db, [
    ...published.map((type) => newEvent(account, { type })),
    newEvent(account, { type: "b.of_a_recipient", recipient: "cust_1" }),
    newEvent(other, { type: "a.foreign" }),
  ]);
  for (const [accountId, name] of [
    [account, "b.two"],
    [account, "d.only_in_the_catalog"],
    [other, "a.foreign_too"],
  ] as const)
    await db.eventType.create({ data: { accountId, name } });
  const all = ["a.one", "b.of_a_recipient", "b.two", "c.three", "d.only_in_the_catalog"];
  expect(await listKnownTypes(db, account, 10)).toEqual(all);
  expect(await listKnownTypes(db, account, 3)).toEqual(all.slice(0, 3));
  expect(await listKnownTypes(db, other, 10)).toEqual(["a.foreign", "a.foreign_too"]);
});

test("sends are counted by event and state, for the account of the event only", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  for (let count = 0; count < 3; count += 1) await addSubscription(db, account);
  await addSubscription(db, account, { recipient: "cust_1" });
  await addSubscription(db, other);
  const [first, second, unsent, foreign] = [
    newEvent(account),
    newEvent(account, { recipient: "cust_1" }),
    newEvent(account, { recipient: "cust_2" }),
    newEvent(other),
  ];
  const ids = [first, second, unsent, foreign].map(({ id }) => id);
  await storeEvents(db, [first, second, unsent, foreign]);
  const [run] = await db.queuedRun.findMany({ where: { eventId: first.id } });
  await endRuns(db, [run?.id ?? ""]);
  expect(await countSends(db, account, ids)).toEqual(
    new Map([
      [
        first.id,
        [
          { status: "failed", count: 1 },
          { status: "queued", count: 2 },
        ],
      ],
      [second.id, [{ status: "queued", count: 1 }]],
    ]),
  );
  expect([...(await countSends(db, other, ids)).keys()]).toEqual([foreign.id]);
  expect(await countSends(db, account, [])).toEqual(new Map());
});

test("the starts of bodies are cut, and another account's are not read", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  const [short, long, foreign] = [
    newEvent(account, { dataJson: '"é"' }),
    newEvent(account, { dataJson: `"${"x".repeat(5_000)}"` }),
    newEvent(other),
  ];
  await storeEvents(db, [short, long, foreign]);
  const ids = [short.id, long.id, foreign.id, newId()];
  const starts = await readEventStarts(db, account, ids);
  const texts = [...starts].map(([id, start]) => [id, Buffer.from(start).toString()]);
  expect(new Map(texts as [string, string][])).toEqual(
    new Map([
      [short.id, short.body],
      [long.id, long.body.slice(0, 640)],
    ]),
  );
});

test("events are counted since a time, up to 10,000, and without another account's", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  await storeEvents(db, [newEvent(account), newEvent(account), newEvent(other)]);
  const hourAgo = Date.now() - 3_600_000;
  expect(await countEvents(db, account, hourAgo)).toEqual({ count: 2, isMore: false });
  expect(await countEvents(db, account, Date.now() + 60_000)).toEqual({
    count: 0,
    isMore: false,
  });
  await db.$executeRaw`
    insert into events (id, account_id, public_id, type, body)
    select uuid_v7_at(now() + n * interval '1 millisecond'), ${account}::uuid, n::text, 'a', ''
    from generate_series(1, 9999) as n`;
  expect(await countEvents(db, account, hourAgo)).toEqual({ count: 10_000, isMore: true });
  expect(await countEvents(db, other, hourAgo)).toEqual({ count: 1, isMore: false });
});
