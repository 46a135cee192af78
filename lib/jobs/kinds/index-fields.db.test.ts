import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { archiveBeforeDrop } from "#lib/archive/archive-weeks.ts";
import { openFolder } from "#lib/archive/folder-storage.ts";
import { restoreWeek } from "#lib/archive/restore-week.ts";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { markHookDeleted } from "#lib/db/hooks/hooks.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { maskDatabase } from "#lib/db/masking/masked-database.ts";
import { endOf, startOf } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { weeklyTables } from "#lib/db/postgres/partitions/partitions.ts";
import { weeksAgo } from "#lib/db/testing/fill-week.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { indexFieldsJob } from "./index-fields.ts";

const { db, url } = withDatabase();
const minute = 60_000;
const week = 7 * 86_400_000;

/** An id of a time, of which ids made later are larger. */
function idAt(ms: number): string {
  return idFloor(ms).slice(0, 14) + newId().slice(14);
}

async function store(
  hook: HookRecord,
  ms: number,
  payload: unknown,
  fields: Partial<NewDelivery> = {},
): Promise<string> {
  const id = idAt(ms);
  const body = Buffer.from(JSON.stringify(payload));
  await storeDeliveries(db, [newDelivery(hook, { id, body, ...fields })]);
  return id;
}

/** The start of the last week that is checked: soon after its end, others may still be stored in it. */
function lastClosedWeek(): number {
  return startOfWeek(Date.now() - 60 * minute) - week;
}

/** Works until nothing is left. */
async function work(): Promise<void> {
  const job = indexFieldsJob(db);
  while (await job.work(AbortSignal.abort()));
}

async function search(hook: HookRecord, q: string, filter: DeliveryFilter = {}) {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { limit: number; cursor?: string | undefined } = { limit: 2, cursor };
    const found = await listDeliveries(db, hook.accountId, { q, ...filter }, page);
    ids.push(...found.items.map(({ id }) => id));
    cursor = found.nextCursor;
  }
  return ids;
}

const countRows = (hook: HookRecord) => db.deliveryTerms.count({ where: { hookId: hook.id } });
const readCursor = ({ id }: HookRecord) =>
  db.fieldSearchCursor.findUnique({ where: { hookId: id } });

it("finds every delivery with a value once, newest first, indexed or not", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const oldMs = lastClosedWeek() + minute;
  const ids: string[] = [];
  for (let at = 0; at < 80; at += 1)
    ids.push(await store(hook, oldMs + at * 1_000, { n: at, of: { ten: at % 10 } }));
  const cut = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}`, at]));
  const long = await store(hook, oldMs + 100 * minute, { ...cut, of: { ten: 3 } });
  const newest = await store(hook, Date.now(), { of: { ten: 3 } });
  const expected = [...ids.filter((_, at) => at % 10 === 3), long, newest].toReversed();
  expect(await search(hook, "of.ten = 3")).toEqual(expected);
  await work();
  expect(await countRows(hook)).toBe(3);
  const { coveredUntil } = (await readCursor(hook)) ?? {};
  expect(coveredUntil && coveredUntil > long && coveredUntil < newest).toBe(true);
  expect(await search(hook, "of.ten = 3")).toEqual(expected);
  expect(await search(hook, "n = 41")).toEqual([ids[41]]);
  expect(await search(hook, "n = 80")).toEqual([]);
  expect(await search(hook, "f555 = 555")).toEqual([long]);
  const from = oldMs + 35_000;
  expect(await search(hook, "of.ten = 3", { from, to: from + 20_000 })).toEqual([ids[53], ids[43]]);
  expect(await search(hook, "of.ten = 3", { status: "rejected" })).toEqual([]);
  expect(await search(hook, "of.ten = 3", { eventType: "other" })).toEqual([]);
  expect(await search(hook, "of.ten = 3", { hookId: hook.id })).toEqual(expected);
});

it("finds the fields of XML, indexed or not", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const storeXml = (text: string, ms: number) =>
    store(hook, Date.now() - ms, null, { body: Buffer.from(text), contentType: "text/xml" });
  const one = await storeXml('<s:E xmlns:s="u"><i>a</i><i>b&amp;c</i></s:E>', 6 * minute);
  const two = await storeXml('<E id="7"><i>a</i><i>d</i></E>', 5 * minute);
  const searches = ['["s:E"].i.1 = b&c', "E.i.1 = d", "E.@id = 7", "E.i = a"];
  const find = () => Promise.all(searches.map((q) => search(hook, q)));
  expect(await find()).toEqual([[one], [two], [two], []]);
  await work();
  expect(await find()).toEqual([[one], [two], [two], []]);
});

it("finds no other text than the value of the field, and reads no delivery without its term", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  await store(hook, Date.now() - 5 * minute, { text: "a = b" });
  expect(await search(hook, "a = b")).toHaveLength(1);
  await work();
  expect(await search(hook, "a = b")).toEqual([]);
  expect(await search(hook, "text = a = b")).toHaveLength(1);
  await db.$executeRaw`update delivery_terms set terms = '{}' where hook_id = ${hook.id}::uuid`;
  expect(await search(hook, "text = a = b")).toEqual([]);
});

it("searches hooks together only if all are indexed, in their order", {
  tags: "variant",
}, async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const other = { ...hook, id: newId() };
  await db.hook.create({
    data: {
      ...{ id: other.id, accountId: hook.accountId, key: other.id, name: "o", provider: "generic" },
      fieldSearch: true,
    },
  });
  const nowMs = Date.now();
  const ids: string[] = [];
  for (let at = 0; at < 90; at += 1)
    ids.push(await store(at % 3 === 0 ? other : hook, nowMs - 90 * minute + at * 1_000, { a: 1 }));
  await work();
  expect(await search(hook, "a = 1")).toEqual(ids.toReversed());
  await db.hook.update({ where: { id: other.id }, data: { fieldSearch: false } });
  await work();
  expect(await countRows(other)).toBe(0);
  expect(await search(hook, "a = 1")).toEqual(ids.toReversed());
});

it("someone with masked fields finds nothing by a payload", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  await store(hook, Date.now() - 5 * minute, { email: "jo@example.com", open: 1 });
  await work();
  const masked = maskDatabase(db, ["email"]);
  for (const q of ["email = jo@example.com", "open = 1"]) {
    const found = await listDeliveries(masked, hook.accountId, { q }, { limit: 10 });
    expect(found.items).toEqual([]);
    expect(await search(hook, q)).toHaveLength(1);
  }
});

it("a delivery that came late is found once its week has been checked", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const start = lastClosedWeek();
  await store(hook, start + minute, { a: 1 });
  await work();
  const late = await store(hook, start + 2 * minute, { late: 1 });
  expect(await search(hook, "late = 1")).toEqual([]);
  await db.fieldSearchCursor.update({
    where: { hookId: hook.id },
    data: { checkedUntil: idFloor(start), coveredUntil: idFloor(Date.now() - 10 * minute) },
  });
  await work();
  expect(await search(hook, "late = 1")).toEqual([late]);
  expect((await readCursor(hook))?.checkedUntil).toBe(idFloor(start + week));
});

it("one that came late is found after the check, also if others of its week were deleted", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const start = lastClosedWeek();
  const ids: string[] = [];
  for (let at = 0; at < 40; at += 1) ids.push(await store(hook, start + at * minute, { a: at }));
  await work();
  await db.delivery.delete({ where: { id: ids[3] ?? "" } });
  const late = await store(hook, start + 35 * minute + 1, { late: 1 });
  await db.fieldSearchCursor.update({
    where: { hookId: hook.id },
    data: { checkedUntil: idFloor(start), coveredUntil: idFloor(Date.now() - 10 * minute) },
  });
  await work();
  expect(await search(hook, "late = 1")).toEqual([late]);
});

it("any number of late deliveries hides none that is indexed", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const start = Date.now() - 30 * minute;
  await store(hook, start, { first: 1 });
  const last = await store(hook, start + 20 * minute, { last: 1 });
  await work();
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    select uuid_v7_at(to_timestamp(${start / 1_000}::float8 + n)), ${hook.accountId}::uuid, ${hook.id}::uuid, 'accepted', now(), 'POST',
      '', '', '[]', 2, '{}', 'verified', '' from generate_series(1, 1100) n`;
  expect(await search(hook, "last = 1")).toEqual([last]);
});

it("a search that is turned on again while its terms are removed still finds everything", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  const nowMs = Date.now();
  const ids = [
    await store(hook, nowMs - 9 * minute, { a: 1 }),
    await store(hook, nowMs - 5 * minute, { a: 1 }),
  ];
  await work();
  ids.push(await store(hook, nowMs - 2 * minute, { a: 1 }));
  // So many that they aren't removed in one go.
  await db.$executeRaw`
    insert into delivery_terms (id, hook_id, last_id, delivery_count, terms)
    select id, ${hook.id}::uuid, id, 0, '{}' from (
      select uuid_v7_at(to_timestamp(${nowMs / 1_000 - 200}::float8 + n * 0.001)) as id from generate_series(1, 1200) n) made`;
  const context = testContext(db, hook.accountId);
  await updateHook(context, { id: hook.id, fieldSearch: false });
  await indexFieldsJob(db).work(AbortSignal.abort());
  await updateHook(context, { id: hook.id, fieldSearch: true });
  expect(await search(hook, "a = 1")).toEqual(ids.toReversed());
  await work();
  expect(await search(hook, "a = 1")).toEqual(ids.toReversed());
});

it("while another process indexes or removes terms, nothing is removed", async () => {
  const hook = await addHook(db, { fieldSearch: true });
  await store(hook, Date.now() - 5 * minute, { a: 1 });
  await work();
  await updateHook(testContext(db, hook.accountId), { id: hook.id, fieldSearch: false });
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtext('index_fields'))::text`;
    await work();
    expect(await countRows(hook)).toBe(1);
  });
});

it("deliveries of a restored week are found, also if the search was off or new meanwhile", {
  tags: "variant",
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "catchment-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const storage = openFolder(folder);
  const past = weeksAgo(20);
  for (const table of weeklyTables)
    await db.$queryRaw`select ensure_weekly_partitions(${table}, ${startOf(past)}, now())`;
  const [late, again] = [await addHook(db), await addHook(db, { fieldSearch: true })];
  const ids = [];
  for (const hook of [late, again])
    ids.push(await store(hook, startOf(past).getTime() + 5 * minute, { a: 1 }));
  await work();
  const signal = new AbortController().signal;
  const archive = archiveBeforeDrop({ db, databaseUrl: url, storage, sealer: testSealer, signal });
  await sweepBefore(db, endOf(past), () => false, archive);
  const turn = (hook: HookRecord, fieldSearch: boolean) =>
    updateHook(testContext(db, hook.accountId), { id: hook.id, fieldSearch });
  await turn(late, true);
  await turn(again, false);
  await work();
  const keepUntil = new Date(Date.now() + week);
  await withArchiveSession(url, (client) =>
    restoreWeek({ client, storage, week: past, keepUntil, sealer: testSealer }),
  );
  await turn(again, true);
  for (let turns = 0; turns < 2; turns += 1) {
    expect([await search(late, "a = 1"), await search(again, "a = 1")]).toEqual([
      [ids[0]],
      [ids[1]],
    ]);
    await work();
  }
  expect([await countRows(late), await countRows(again)]).toEqual([1, 1]);
});

it("terms go with their week, their hook, and the search", { tags: "variant" }, async () => {
  const [old, deleted, off] = [
    await addHook(db, { fieldSearch: true }),
    await addHook(db, { fieldSearch: true }),
    await addHook(db, { fieldSearch: true }),
  ];
  await db.$queryRaw`select ensure_weekly_partitions('delivery_terms', ${new Date(Date.now() - 6 * week)}, now())`;
  await store(old, Date.now() - 6 * week, { a: 1 });
  for (const hook of [old, deleted, off]) await store(hook, Date.now() - 5 * minute, { a: 1 });
  await work();
  expect(await countRows(old)).toBe(2);
  await sweepBefore(db, new Date(Date.now() - 3 * week), () => false);
  expect(await countRows(old)).toBe(1);
  await db.$transaction((tx) => markHookDeleted(tx, deleted.id));
  await purgeDeletedHooks(db);
  expect(await countRows(deleted)).toBe(0);
  await updateHook(testContext(db, off.accountId), { id: off.id, fieldSearch: false });
  await work();
  expect([await countRows(off), await readCursor(off)]).toEqual([0, null]);
});
