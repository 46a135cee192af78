import { expect, it } from "vitest";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { subject } from "#lib/db/erasures/testing/add-subject.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { cancelErasure, deleteErasureRule } from "#lib/services/erasures.ts";
import { findInDatabase } from "../erase/testing/find-subject.ts";
import { withLaterArrivals } from "../erase/testing/with-later-arrivals.ts";
import { workOnce } from "../testing/work.ts";

const {
  db,
  arrivals,
  erasing,
  hook,
  context,
  start,
  endErasures,
  forget,
  arrive,
  lookOnce,
  settle,
  rulesOf,
  erasuresOf,
} = withLaterArrivals();

const form = "application/x-www-form-urlencoded";

const ways: Readonly<Record<string, Partial<NewDelivery>>> = {
  "a field of JSON": { body: Buffer.from('{"user":{"email":"JO.DOE@example.com"}}') },
  "a header": { headersJson: '[["X-User","Jo <jo.doe@example.com>"]]' },
};
const otherWays: typeof ways = {
  "a longer text": { body: Buffer.from('{"t":"Write to jo.doe@example.com, or (cus_jo.doe)."}') },
  "a form": { body: Buffer.from("n=1&email=jo.doe%40example.com"), contentType: form },
  "a query": { query: "e=jo.doe%40example.com" },
  "escapes of JSON": { body: Buffer.from(String.raw`{"e":"jo.doe\u0040example.com"}`) },
  "the event's ID": { eventId: "jo.doe@example.com" },
  "text between other bytes": { body: Buffer.from("\xff\n jo.doe@example.com \0", "latin1") },
};
const title = "redacts a value that arrives again in %s, and nothing else";
it.each(Object.entries(ways))(title, async (_where, fields) => await arriveAgain(fields));
it.each(Object.entries(otherWays))(title, { tags: "variant" }, async (_where, fields) => {
  await arriveAgain(fields);
});

async function arriveAgain(fields: Partial<NewDelivery>): Promise<void> {
  await arrive('{"email":"jo.doe@example.com"}');
  await forget();
  const other = await arrive('{"email":"someone@example.com","t":"jo.d@example.com"}');
  const before = await db.delivery.findFirst({ where: { id: other } });
  const id = await arrive(fields);
  expect(Object.keys(await findInDatabase(db))).toEqual(["deliveries"]);

  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect(await db.delivery.findFirst({ where: { id: other } })).toEqual(before);
  expect((await readDeliveries(db, hook())).map((row) => row.id)).toContain(id);
  const matches = (await rulesOf()).map((rule) => rule.matches);
  expect(Math.max(...matches)).toBe(1);
  expect((await erasuresOf()).map(({ ruleIds }) => ruleIds.length > 0)).toEqual([true, false]);
}

it("finds events, and deletes them if that is what was asked for", async () => {
  await forget({ mode: "delete" });
  const event = newEvent(hook().accountId, { dataJson: '{"text":"for cus_jo.doe only"}' });
  const other = newEvent(hook().accountId, { dataJson: '{"text":"for cus_joe only"}' });
  await storeEvents(db, [event, other]);
  await settle();
  expect((await db.event.findMany()).map(({ id }) => id)).toEqual([other.id]);
  expect((await erasuresOf())[0]).toMatchObject({ mode: "delete", laterArrivals: false });
});

it("looks at what has arrived while the first erasure ran", async () => {
  await start();
  await workOnce(erasing);
  await arrive('{"email":"jo.doe@example.com"}');
  // The last pass is past deliveries.
  await db.$executeRaw`
    update erasures set progress = '{"pass":2,"place":99,"after":null,"found":0,"replacing":null,"left":[]}'`;
  await endErasures();
  expect(Object.keys(await findInDatabase(db))).toEqual(["deliveries"]);
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("does nothing without the option, and after a dry run or an erasure that was canceled", async () => {
  await forget({ laterArrivals: false });
  await forget({ dryRun: true });
  const { id } = await start();
  await cancelErasure(context(), { id });
  await arrive('{"email":"jo.doe@example.com"}');
  expect([await rulesOf(), await db.erasureWatch.count()]).toEqual([[], 0]);
  expect(await lookOnce()).toBe(false);
  expect(await erasuresOf()).toHaveLength(3);
});

it("leaves the same value of another account alone", async () => {
  const other = await addHook(db);
  await forget();
  await forget({ values: ["someone@example.com"] }, other);
  await arrive('{"email":"jo.doe@example.com"}', other);
  await settle();
  expect(await erasuresOf(other)).toHaveLength(1);
  expect(await findInDatabase(db)).toEqual({ deliveries: 1 });
});

it("does nothing any more once a rule is removed, and keeps the others", async () => {
  await forget();
  const [one, two] = await rulesOf();
  expect([one?.matches, one?.lastMatchAt, one?.createdBy]).toEqual([0, null, "Catchment"]);
  await deleteErasureRule(context(), { id: one?.id ?? "" });
  await arrive('{"id":"cus_jo.doe","email":"jo.doe@example.com"}');
  await settle();
  const [left] = await rulesOf();
  expect(left).toMatchObject({ id: two?.id, matches: 1, lastMatchAt: expect.any(Date) });
  expect(await findInDatabase(db)).toEqual({ deliveries: 1 });

  await deleteErasureRule(context(), { id: two?.id ?? "" });
  await arrive('{"id":"cus_jo.doe","email":"jo.doe@example.com"}');
  expect([await lookOnce(), await db.erasureWatch.count()]).toEqual([false, 0]);
});

it("keeps one rule for a value, which does what was asked for last", async () => {
  await forget();
  const before = await rulesOf();
  const { id } = await start({ mode: "delete", values: [subject[0]?.toUpperCase() ?? ""] });
  await endErasures();
  const after = await rulesOf();
  expect(after.map((rule) => rule.id)).toEqual(before.map((rule) => rule.id));
  expect(after.filter(({ erasureId, mode }) => erasureId === id && mode === "delete")).toHaveLength(
    1,
  );
});

it("redacts first, and then deletes, a delivery with values of both kinds", async () => {
  await forget({ values: ["jo.doe@example.com"], mode: "redact" });
  await forget({ values: ["cus_jo.doe"], mode: "delete" });
  await arrive('{"id":"cus_jo.doe","email":"jo.doe@example.com"}');
  await arrive('{"id":"cus_jo.doe"}');
  const one = await arrive('{"email":"jo.doe@example.com"}');
  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect((await readDeliveries(db, hook())).map(({ id }) => id)).toEqual([one]);
  expect(
    (await erasuresOf())
      .map(({ mode }) => mode)
      .toReversed()
      .slice(2),
  ).toEqual(["redact", "delete"]);
});

it("keeps a limited number of rules", async () => {
  await db.$executeRaw`
    insert into erasure_rules (id, account_id, erasure_id, value_hash, fingerprint, mode, created_by)
    select gen_random_uuid(), ${hook().accountId}::uuid, gen_random_uuid(), convert_to(n::text, 'UTF8'), '', 'redact', 'n'
    from generate_series(1, 9999) n`;
  await expect(start()).rejects.toThrow("at most 10000 rules");
  await expect(start({ dryRun: true })).resolves.toMatchObject({ status: "running" });
});

it("leaves a pause after an erasure of rules, in which someone can start another", async () => {
  await forget();
  await arrive('{"id":"cus_jo.doe"}');
  expect(await lookOnce()).toBe(true);
  await arrive('{"email":"jo.doe@example.com"}');
  await endErasures();
  expect(await workOnce(arrivals)).toBe(false);
  await expect(start()).resolves.toMatchObject({ status: "running" });
});

it("says in the audit log which rule has started an erasure, and not for which value", async () => {
  await forget();
  await arrive('{"email":"jo.doe@example.com"}');
  await settle();
  const entries = await db.auditEntry.findMany({
    where: { accountId: hook().accountId, event: { startsWith: "erasure" } },
    orderBy: { seq: "asc" },
  });
  expect(entries.map(({ event }) => event)).toEqual([
    ...["erasure.started", "erasure.finished", "erasure_rule.created"],
    ...["erasure.started", "erasure.finished"],
  ]);
  const [rule] = (await rulesOf()).filter(({ matches }) => matches === 1);
  const [erasure] = await erasuresOf();
  for (const entry of entries.slice(3)) {
    expect(entry.actorType).toBe("system");
    expect(entry.targetIds).toEqual([erasure?.id, rule?.id, ...(erasure?.fingerprints ?? [])]);
  }
  expect(await findInDatabase(db)).toEqual({});
});
