import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readNewEvents } from "#lib/db/events/new-events.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { createDatabase, type Database } from "./client.ts";

let test: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
const accountId = newId();
beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, poolSize: 4, applicationName: "test" });
  await db.account.create({ data: { id: accountId, slug: "acme", name: "acme" } });
});
afterAll(async () => {
  await db.$disconnect();
  await test.drop();
});

type Cursor = Awaited<ReturnType<typeof readNewEvents>>["cursor"];
const read = (cursor: Cursor | null, limit = 10, notBeforeMs = 0) =>
  readNewEvents(db, accountId, { type: null, cursor, limit, notBeforeMs }, Date.now());
const make = () => newEvent(accountId, { type: "a.b" });

it("returns each row once, in whatever order their transactions end, and page by page", async () => {
  const { cursor: start } = await read(null);
  const early = make();
  const late = make();
  // The first of them gets its transaction and its id first, and commits last.
  const afterwards = await db.$transaction(async (tx) => {
    await storeEvents(tx, [early]);
    await storeEvents(db, [late]);
    return await read(start);
  });
  expect(afterwards.ids).toEqual([late.id]);
  const next = await read(afterwards.cursor);
  expect(next).toMatchObject({ ids: [early.id], isMore: false, isReset: false });
  const five = [make(), make(), make(), make(), make()];
  for (const event of five) await storeEvents(db, [event]);
  const first = await read(next.cursor, 2);
  expect(first.isMore).toBe(true);
  const meanwhile = make();
  await storeEvents(db, [meanwhile]);
  const second = await read(first.cursor, 2);
  const third = await read(second.cursor, 2);
  const fourth = await read(third.cursor, 2);
  expect([first, second, third, fourth].flatMap(({ ids }) => ids)).toEqual(
    [...five, meanwhile].map(({ id }) => id),
  );
  expect((await read(fourth.cursor)).ids).toEqual([]);
});

it("says that it passed some over, for a cursor of another database and for an old one", async () => {
  const { cursor } = await read(null);
  const foreign = { ...cursor, snapshot: "99999999999:99999999999:" };
  expect(await read(foreign)).toMatchObject({ ids: [], isReset: true });
  expect((await read({ ...cursor, atMs: 0 }, 10, Date.now())).isReset).toBe(true);
});
