import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "pg";
import { beforeEach, expect, it } from "vitest";
import { idFloor } from "#lib/core/api/page.ts";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { subject } from "#lib/db/erasures/testing/add-subject.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { recordSpoolReport } from "#lib/db/spool/spool-reports.ts";
import { addPartitions } from "#lib/db/testing/fill-week.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import {
  cancelErasure,
  createErasure,
  deleteErasureRule,
  listErasureRules,
  listErasures,
} from "#lib/services/erasures.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { findInDatabase } from "../erase/testing/find-subject.ts";
import { workAll, workOnce } from "../testing/work.ts";
import { eraseJob } from "./erase.ts";
import { findArrivalsJob } from "./find-arrivals.ts";

const { db, url } = withDatabase();
const arrivals = findArrivalsJob({ db, sealer: testSealer });
const erasing = eraseJob({ db, databaseUrl: url, sealer: testSealer });
let hook: TestHook;

beforeEach(async () => {
  await db.$executeRaw`truncate accounts, deliveries, events, audit_chains, audit_entries, spools cascade`;
  hook = await addHook(db);
});

type Options = Partial<Parameters<typeof createErasure>[1]>;

const contextOf = ({ accountId }: TestHook) => testContext(db, accountId);
const start = (options: Options = {}, of = hook) =>
  createErasure(contextOf(of), { values: subject, dryRun: false, laterArrivals: true, ...options });
const rulesOf = async (of = hook) => (await listErasureRules(contextOf(of), {})).items;
const erasuresOf = async (of = hook) => (await listErasures(contextOf(of), {})).items;

async function arrive(fields: Partial<NewDelivery> | string, of = hook): Promise<string> {
  const given = typeof fields === "string" ? { body: Buffer.from(fields) } : fields;
  const delivery = newDelivery(of, given);
  await storeDeliveries(db, [delivery]);
  return delivery.id;
}

async function endErasures(): Promise<void> {
  while ((await db.erasure.count({ where: { finishedAt: null } })) > 0) {
    await db.$executeRaw`update erasures set leased_until = null`;
    await workAll(erasing);
  }
}

/** Without the pauses between two looks. */
async function lookOnce(): Promise<boolean> {
  await db.$executeRaw`update erasure_watches set checked_at = null`;
  return await workOnce(arrivals);
}

/** Looks and erases until nothing has the values any more that rules know. */
async function settle(): Promise<void> {
  for (let before = -1; before !== (await db.erasure.count()); ) {
    before = await db.erasure.count();
    await db.$executeRaw`update erasure_watches set checked_at = null`;
    await workAll(arrivals);
    await endErasures();
  }
}

async function forget(options: Options = {}, of = hook): Promise<void> {
  await start(options, of);
  await endErasures();
}

const form = "application/x-www-form-urlencoded";

it.each<[string, Partial<NewDelivery>]>([
  ["a field of JSON", { body: Buffer.from('{"user":{"email":"JO.DOE@example.com"}}') }],
  ["escapes of JSON", { body: Buffer.from(String.raw`{"e":"jo.doe\u0040example.com"}`) }],
  ["a longer text", { body: Buffer.from('{"t":"Write to jo.doe@example.com, or (cus_jo.doe)."}') }],
  ["a form", { body: Buffer.from("n=1&email=jo.doe%40example.com"), contentType: form }],
  ["a header", { headersJson: '[["X-User","Jo <jo.doe@example.com>"]]' }],
  ["a query", { query: "e=jo.doe%40example.com" }],
  ["the event's ID", { eventId: "jo.doe@example.com" }],
  ["text between other bytes", { body: Buffer.from("\xff\n jo.doe@example.com \0", "latin1") }],
])("redacts a value that arrives again in %s, and nothing else", async (_where, fields) => {
  await arrive('{"email":"jo.doe@example.com"}');
  await forget();
  const other = await arrive('{"email":"someone@example.com","t":"jo.d@example.com"}');
  const before = await db.delivery.findFirst({ where: { id: other } });
  const id = await arrive(fields);
  expect(Object.keys(await findInDatabase(db))).toEqual(["deliveries"]);

  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect(await db.delivery.findFirst({ where: { id: other } })).toEqual(before);
  expect((await readDeliveries(db, hook)).map((row) => row.id)).toContain(id);
  const matches = (await rulesOf()).map((rule) => rule.matches);
  expect(Math.max(...matches)).toBe(1);
  expect((await erasuresOf()).map(({ ruleIds }) => ruleIds.length > 0)).toEqual([true, false]);
});

it("finds events, and deletes them if that is what was asked for", async () => {
  await forget({ mode: "delete" });
  const event = newEvent(hook.accountId, { dataJson: '{"text":"for cus_jo.doe only"}' });
  const other = newEvent(hook.accountId, { dataJson: '{"text":"for cus_joe only"}' });
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
  await cancelErasure(contextOf(hook), { id });
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
  await deleteErasureRule(contextOf(hook), { id: one?.id ?? "" });
  await arrive('{"id":"cus_jo.doe","email":"jo.doe@example.com"}');
  await settle();
  const [left] = await rulesOf();
  expect(left).toMatchObject({ id: two?.id, matches: 1, lastMatchAt: expect.any(Date) });
  expect(await findInDatabase(db)).toEqual({ deliveries: 1 });

  await deleteErasureRule(contextOf(hook), { id: two?.id ?? "" });
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

it("only redacts a delivery if one of its values isn't to be deleted", async () => {
  await forget({ values: ["jo.doe@example.com"], mode: "redact" });
  await forget({ values: ["cus_jo.doe"], mode: "delete" });
  const both = await arrive('{"id":"cus_jo.doe","email":"jo.doe@example.com"}');
  await arrive('{"id":"cus_jo.doe"}');
  const one = await arrive('{"email":"jo.doe@example.com"}');
  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect((await readDeliveries(db, hook)).map(({ id }) => id)).toEqual([both, one]);
});

it("waits while an erasure runs, and loses nothing", async () => {
  await forget();
  const { id } = await start({ dryRun: true, values: ["someone@example.com"] });
  await arrive('{"email":"jo.doe@example.com"}');
  expect(await lookOnce()).toBe(false);
  await cancelErasure(contextOf(hook), { id });
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("finds what is committed late, with an id from before the last look", async () => {
  await forget();
  const other = new Client({ connectionString: url });
  await other.connect();
  const early = newDelivery(hook, { body: Buffer.from('{"email":"jo.doe@example.com"}') });
  await other.query("begin");
  await other.query(
    `insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    values ($1, $2, $3, 'accepted', now(), 'POST', '', '', '[]', 30, $4, 'verified', '127.0.0.1')`,
    [early.id, hook.accountId, hook.id, early.body],
  );
  await arrive('{"email":"someone@example.com"}');
  await settle();
  await other.query("commit");
  await other.end();
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("finds what a spool stores with the time of its arrival", async () => {
  await forget();
  const at = Date.now() - 3 * 3_600_000;
  await addPartitions(db, new Date(at).toISOString().slice(0, 10), new Date());
  const report = { spool: hook.id, writer: "w", takenOver: [], host: "h" };
  await recordSpoolReport(db, {
    ...{ ...report, waiting: 1, oldestAtMs: at, setAside: 0, asideNames: [] },
  });
  await settle();
  await arrive({ id: idFloor(at + 1_000), body: Buffer.from('{"email":"jo.doe@example.com"}') });
  await db.spoolReport.deleteMany();
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("reads more than a batch, and continues where it was", async () => {
  await forget();
  const many = Array.from({ length: 250 }, (_, at) =>
    newDelivery(hook, { body: Buffer.from(`{"n":${at},"email":"user${at}@example.com"}`) }),
  );
  await storeDeliveries(db, many);
  await arrive('{"email":"jo.doe@example.com"}');
  await arrive({ body: Buffer.from(`{"pad":"${"x".repeat(2_000_000)}"}`) });
  await arrive('{"id":"cus_jo.doe"}');
  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect((await rulesOf()).map(({ matches }) => matches)).toEqual([1, 1]);
});

it("starts an erasure once if its process is killed in between", async () => {
  await forget();
  await arrive('{"email":"jo.doe@example.com"}');
  const other = new Client({ connectionString: url });
  await other.connect();
  await other.query("begin; select from audit_chains for update");
  await db.$executeRaw`update erasure_watches set checked_at = null`;
  const script = join(import.meta.dirname, "../erase/testing/find-arrivals-once.ts");
  const child = spawn(process.execPath, [script, url], { stdio: ["ignore", "pipe", "inherit"] });
  await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  await other.end();
  expect([await erasuresOf(), (await rulesOf()).map(({ matches }) => matches)]).toEqual([
    [expect.anything()],
    [0, 0],
  ]);
  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect(await erasuresOf()).toHaveLength(2);
  expect((await rulesOf()).map(({ matches }) => matches).toSorted()).toEqual([0, 1]);
});

async function isWaiting(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`select from pg_locks where not granted`;
  return rows.length > 0;
}

it("says in the audit log which rule has started an erasure, and not for which value", async () => {
  await forget();
  await arrive('{"email":"jo.doe@example.com"}');
  await settle();
  const entries = await db.auditEntry.findMany({
    where: { accountId: hook.accountId, event: { startsWith: "erasure" } },
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
