import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { archiveBeforeDrop } from "#lib/archive/archive-weeks.ts";
import { openFolder } from "#lib/archive/folder-storage.ts";
import { verifyWeek } from "#lib/archive/read-week.ts";
import { restoreWeek } from "#lib/archive/restore-week.ts";
import { toFieldTerms } from "#lib/core/mapping/compare/field-terms.ts";
import { readManifestSha256, withArchiveSession } from "#lib/db/archive/archive-session.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import type { ErasureRecord } from "#lib/db/erasures/erasures.ts";
import { addOtherPlaces, addSubject, subject } from "#lib/db/erasures/testing/add-subject.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { endOf, startOf } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { weeksAgo } from "#lib/db/testing/fill-week.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { addAction, addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";
import { createErasure, getErasure } from "#lib/services/erasures.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { eraseJob } from "../kinds/erase.ts";
import { indexFieldsJob } from "../kinds/index-fields.ts";
import {
  findInArchives,
  findInDatabase,
  readOtherLines,
  readOthers,
} from "./testing/find-subject.ts";

const week = weeksAgo(20);
const folder = mkdtempSync(join(tmpdir(), "catchment-erase-"));
const storage = openFolder(folder);
let database: TestDatabase;
let db: Database;
let hook: TestHook;

beforeEach(async () => {
  database = await createTestDatabase();
  const limits = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 };
  db = createDatabase({ url: database.url, poolSize: 3, applicationName: "test", ...limits });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const job = () =>
  eraseJob({
    db,
    databaseUrl: database.url,
    sealer: testSealer,
    archive: { kind: "folder", folder },
  });

/** Half of the deliveries are in an archived week, and the others of this week, with everything that is of no week. */
async function fill(deliveries: number): Promise<void> {
  hook = await addHook(db, { fieldSearch: true });
  const actionId = await addAction(db, hook);
  const half = { hook, actionId, deliveries: deliveries / 2 };
  await addSubject(db, { ...half, from: startOf(week) });
  await addSubject(db, { ...half, from: new Date(Date.now() - 6 * 86_400_000) });
  await addOtherPlaces(db, hook, actionId);
  await index();
  const { prepare, confirm } = archiveBeforeDrop({
    ...{ db, databaseUrl: database.url, storage, sealer: testSealer, signal: never },
  });
  const beforeDrop = { prepare, confirm, prepareStrays: async () => true };
  await sweepBefore(db, endOf(week), () => false, beforeDrop);
  expect([await db.delivery.count(), await verify()]).toEqual([deliveries / 2, deliveries / 2]);
  expect(await db.deliveryTerms.count()).toBeGreaterThan(0);
}

/** Works until nothing is left, without the pauses between batches. */
async function index(): Promise<void> {
  const { work } = indexFieldsJob(db);
  while (await work(AbortSignal.abort()));
}

const start = (mode: ErasureMode, dryRun: boolean) =>
  createErasure(testContext(db, hook.accountId), { values: subject, mode, dryRun });

/** It rests while a session that has archived is still being closed. */
async function workAll({ id }: ErasureRecord): Promise<ErasureRecord> {
  const { work } = job();
  for (;;) {
    await db.$executeRaw`update erasures set leased_until = null`;
    while (await work(never));
    const erasure = await getErasure(testContext(db, hook.accountId), { id });
    if (erasure.status !== "running") return erasure;
  }
}

async function verify(): Promise<number> {
  const knownSha256 = await withArchiveSession(database.url, (client) =>
    readManifestSha256(client, week),
  );
  const { tables } = await verifyWeek(storage, week, { sealer: testSealer, knownSha256 });
  return tables[0]?.rows ?? 0;
}

async function expectForgotten(): Promise<void> {
  expect(await findInDatabase(db)).toEqual({});
  expect(await findInArchives(folder)).toEqual([]);
  expect(await db.actionDraft.count()).toBe(1);
  expect(await db.idempotencyKey.count()).toBe(1);
  const body = Buffer.from('{"email":"jo.doe@example.com"}');
  const terms = [...toFieldTerms(hook.id, { body, contentType: "application/json" })];
  expect(await db.deliveryTerms.count({ where: { terms: { hasSome: terms } } })).toBe(0);
}

it("counts in a dry run, and changes nothing", { tags: "variant" }, async () => {
  await fill(160);
  const before = [await findInDatabase(db), await findInArchives(folder), await verify()];
  const { status, counts, finishedAt } = await workAll(await start("delete", true));
  expect([status, finishedAt]).toEqual(["finished", expect.any(Date)]);
  const inRows = { found: 8, changed: 0 };
  expect(counts).toMatchObject({
    ...{ deliveries: inRows, events: inRows, runs: inRows, attempts: inRows, run_steps: inRows },
    ...{
      replies: inRows,
      listener_responses: { found: 16, changed: 0 },
      queue: { found: 1, changed: 0 },
    },
    archive: { found: 16, changed: 0 },
    drafts: { found: 1, changed: 0 },
    stored_responses: { found: 1, changed: 0 },
  });
  expect([await findInDatabase(db), await findInArchives(folder), await verify()]).toEqual(before);
});

it.each(["redact", "delete"] as const)(
  "%s: nothing of the person is left, and everyone else's rows are as they were",
  async (mode) => {
    await fill(160);
    const others = await readOthers(db);
    const lines = await readOtherLines(folder, week);
    const erasure = await workAll(await start(mode, false));
    expect(erasure).toMatchObject({
      status: "finished",
      progress: { pass: 2, found: 0, left: [] },
    });
    await expectForgotten();
    expect(await readOthers(db)).toEqual(others);
    expect(await readOtherLines(folder, week)).toEqual(lines);
    expect([await db.delivery.count(), await verify()]).toEqual(
      mode === "delete" ? [72, 72] : [80, 80],
    );

    // Again, it finds nothing.
    const again = await workAll(await start(mode, false));
    expect(Object.values(again.counts).every(({ found }) => found === 0)).toBe(true);

    // What was about the person is searched for and restored like everything else.
    await index();
    const search = (q: string) =>
      listDeliveries(db, hook.accountId, { hookId: hook.id, q }, { limit: 100 });
    expect((await search("email = user11@example.com")).items).toHaveLength(1);
    await withArchiveSession(database.url, (client) =>
      restoreWeek({
        ...{ client, storage, week, sealer: testSealer },
        keepUntil: new Date(Date.now() + 86_400_000),
      }),
    );
    expect(await db.delivery.count()).toBe(mode === "delete" ? 144 : 160);
    await expectForgotten();
  },
);

it("leaves a receipt in the audit log that doesn't name the person", async () => {
  await fill(40);
  const { id, fingerprints } = await workAll(await start("redact", false));
  const entries = await db.auditEntry.findMany({ orderBy: { seq: "asc" } });
  expect(entries.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["erasure.started", "erasure.finished"]),
  );
  expect(entries.at(-1)).toMatchObject({
    event: "erasure.finished",
    targetIds: [id, ...fingerprints],
    changes: expect.arrayContaining([{ path: "deliveries", before: 2, after: 0 }]),
  });
  expect(fingerprints).toHaveLength(2);
});

/** In the order in which a job comes to them. */
const points = {
  "in a batch, before it is stored": async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query(
      "begin; select from deliveries where response_ms = (select max(response_ms) from deliveries where response_ms % 10 = 0) for update",
    );
    const child = begin();
    await expect.poll(hasWaiting).toBe(true);
    return { child, release: () => other.end() };
  },
  "between two batches": async () => {
    const child = begin("3");
    await once(child.stdout ?? child, "data");
    return child;
  },
  "before the archive's new manifest is there": async () => {
    const path = join(folder, week, "manifest.json.partial");
    execFileSync("mkfifo", [path]);
    const child = begin();
    await expect.poll(isReplacing).toBe(true);
    return { child, release: () => rmSync(path, { force: true }) };
  },
  "between the archive's new manifest and its record": async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query("begin; select from archived_weeks for update");
    const child = begin();
    await expect.poll(hasWaiting).toBe(true);
    return { child, release: () => other.end() };
  },
};
type Stopped = ChildProcess | { readonly child: ChildProcess; readonly release: () => unknown };

function begin(batches?: string): ChildProcess {
  const script = join(import.meta.dirname, "testing/erase-once.ts");
  const args = [script, database.url, folder, ...(batches === undefined ? [] : [batches])];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

const hasWaiting = async () => (await countWaiting(db)) > 0;

async function isReplacing(): Promise<boolean> {
  const [row] = await db.$queryRaw<{ week: string | null }[]>`
    select progress -> 'replacing' ->> 'week' as week from erasures where finished_at is null`;
  return row?.week !== null && row !== undefined;
}

async function killEverywhere(deliveries: number, mode: ErasureMode): Promise<void> {
  await fill(deliveries);
  const others = await readOthers(db);
  const lines = await readOtherLines(folder, week);
  expect(Object.keys(await findInDatabase(db)).length).toBeGreaterThan(14);
  const erasure = await start(mode, false);
  for (const stop of Object.values(points)) {
    await db.$executeRaw`update erasures set leased_until = null`;
    const stopped: Stopped = await stop();
    const { child, release } = "child" in stopped ? stopped : { child: stopped, release: () => {} };
    child.kill("SIGKILL");
    await once(child, "exit");
    await release();
  }
  const done = await workAll(erasure);
  expect(done).toMatchObject({ status: "finished", progress: { found: 0, left: [] } });
  // Rows that go with a delivery aren't counted.
  expect(done.counts.archive?.found).toBe((deliveries / 20) * (mode === "delete" ? 2 : 6));
  await expectForgotten();
  expect(await readOthers(db)).toEqual(others);
  expect(await readOtherLines(folder, week)).toEqual(lines);
  const kept = (deliveries / 2) * (mode === "delete" ? 0.9 : 1);
  expect([await db.delivery.count(), await verify()]).toEqual([kept, kept]);
  const files = readdirSync(join(folder, week), { recursive: true, withFileTypes: true });
  const named = files.filter((file) => file.isFile()).length;
  const { tables } = await verifyWeek(storage, week, { sealer: testSealer, knownSha256: null });
  expect(named).toBe(1 + tables.flatMap(({ parts }) => parts).length);
  expect(existsSync(join(folder, week, "manifest.json"))).toBe(true);
}

it("kill -9 at four points loses nothing and leaves nothing", { tags: "variant" }, () =>
  killEverywhere(160, "redact"),
);

it(
  "kill -9 at four points, with a person in 2,000 of 20,000 deliveries",
  {
    tags: "variant",
  },
  () => killEverywhere(20_000, "delete"),
);
