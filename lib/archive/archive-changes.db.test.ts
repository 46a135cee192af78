import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import type { BeforeDrop } from "#lib/db/archive/drop-weeks.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { endOf, listKeptWeeks } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { weeklyTables } from "#lib/db/postgres/partitions/partitions.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { endOpenRuns, fillWeek, readFingerprints, weeksAgo } from "#lib/db/testing/fill-week.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { archiveBeforeDrop } from "./archive-weeks.ts";
import { openFolder } from "./folder-storage.ts";
import { manifestName } from "./format.ts";
import { verifyWeek } from "./read-week.ts";
import { restoreWeek } from "./restore-week.ts";
import type { ArchiveStorage } from "./storage.ts";

const week = weeksAgo(20);
const folder = mkdtempSync(join(tmpdir(), "catchment-archive-"));
const storage = openFolder(folder);
let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolSize: 3, applicationName: "test" });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const signal = new AbortController().signal;
const archiveWith = (place: ArchiveStorage) =>
  archiveBeforeDrop({ db, databaseUrl: database.url, storage: place, sealer: testSealer, signal });
const sweep = (beforeDrop: BeforeDrop) => sweepBefore(db, endOf(week), () => false, beforeDrop);

const restore = () =>
  withArchiveSession(database.url, (client) =>
    restoreWeek({
      client,
      storage,
      week,
      sealer: testSealer,
      keepUntil: new Date(Date.now() + 86_400_000),
    }),
  );

const hasWaiting = async () => (await countWaiting(db)) > 0;

test("a replay that ends or is tried while its week is archived is in the archive", {
  tags: "variant",
}, async () => {
  await fillWeek(db, week);
  const [{ id } = { id: "" }] = await db.$queryRaw<{ id: string }[]>`
    select q.id from queue q join deliveries d on d.id = q.delivery_id where has_own_id and d.event_id = 'evt_6'`;
  const during = async (name: string, act: () => Promise<unknown>) => {
    await sweep(
      archiveWith({
        ...storage,
        async put(path, bytes) {
          if (path.includes(name)) await act();
          await storage.put(path, bytes);
        },
      }),
    );
    expect(await db.delivery.count()).toBe(40);
  };
  await during(
    manifestName,
    () => db.$executeRaw`update queue set attempt_count = 1 where id = ${id}::uuid`,
  );
  await during(
    manifestName,
    () => db.$executeRaw`update run_steps set state = 'succeeded' where id = ${id}::uuid`,
  );
  // The runs are written, and the open ones aren't yet.
  await during("/runs/", () => endRuns(db, [id], { state: "succeeded" }));
  await endOpenRuns(db);
  await sweep(archiveWith(storage));
  expect(await db.delivery.count()).toBe(0);
  await restore();
  expect(await db.run.findMany({ where: { id } })).toMatchObject([{ state: "succeeded" }]);
});

test("a week that nothing has watched since it was archived, as after a backup was restored, is archived again", {
  tags: "variant",
}, async () => {
  const { hook } = await fillWeek(db, week);
  await archiveWith(storage).prepare(week);
  for (const table of weeklyTables)
    await db.$executeRawUnsafe(
      `drop trigger note_archive_change on ${table}_${week.replaceAll("-", "")}`,
    );
  await db.$executeRaw`delete from answers where account_id = ${hook.accountId}::uuid`;
  const { answers } = await readFingerprints(db);
  await sweep(archiveWith(storage));
  const { tables } = await verifyWeek(storage, week, { sealer: testSealer, knownSha256: null });
  expect(tables.find(({ name }) => name === "answers")?.rows).toBe(answers?.rows);
});

test("a process that comes late to a week that another one has dropped leaves its archive alone", async () => {
  await fillWeek(db, week);
  await endOpenRuns(db);
  let others: Promise<unknown> | null = null;
  const late = archiveWith({
    ...storage,
    async get(name) {
      const found = await storage.get(name);
      // Another process archives and drops the week before this one continues.
      others ??= sweep(archiveWith(storage));
      await others;
      return found;
    },
  });
  await sweep(late);
  expect(await db.delivery.count()).toBe(0);
  expect(
    (await verifyWeek(storage, week, { sealer: testSealer, knownSha256: null })).tables[0],
  ).toMatchObject({ rows: 40 });
});

test("a week that another process drops while it is to be archived is left to that one", async () => {
  await fillWeek(db, week);
  const tables = weeklyTables.map((table) => `${table}_${week.replaceAll("-", "")}`);
  let hasEnded = false;
  const dropOnceAwaited = async (other: Client) => {
    await expect.poll(async () => hasEnded || (await hasWaiting())).toBe(true);
    await other.query("commit");
    await other.end();
  };
  let dropped: Promise<unknown> | null = null;
  const { prepare } = archiveWith({
    ...storage,
    async get(name) {
      const other = new Client({ connectionString: database.url });
      await other.connect();
      await other.query(`begin; drop table ${tables.join(", ")}`);
      dropped = dropOnceAwaited(other);
      return await storage.get(name);
    },
  });
  const isReady = await prepare(week).finally(() => {
    hasEnded = true;
  });
  await dropped;
  expect(isReady).toBe(false);
});

test("a week that is restored again while it is dropped stays", { tags: "variant" }, async () => {
  await fillWeek(db, week);
  await sweep(archiveWith(storage));
  await restore();
  await db.$executeRaw`update kept_weeks set kept_until = now()`;
  let restored: Promise<unknown> | null = null;
  await sweep({
    prepare: async () => true,
    prepareStrays: async () => true,
    async confirm() {
      restored ??= restore();
      const hasBegun = async () => (await listKeptWeeks(db)).length > 0 || (await hasWaiting());
      await expect.poll(hasBegun).toBe(true);
      return true;
    },
  });
  await restored;
  await sweep(archiveWith(storage));
  expect(await db.delivery.count()).toBe(40);
});

test("a process that has lost its session to another one drops nothing", {
  tags: "variant",
}, async () => {
  await fillWeek(db, week);
  const broken = archiveWith({ ...storage, put: () => Promise.reject(new Error("Disk full")) });
  const outcomes: unknown[] = [];
  const slow = archiveWith({
    ...storage,
    async get(name) {
      const found = await storage.get(name);
      if (!name.includes("delivery_terms")) return found;
      // It has read all of its archive back, when another process starts it again.
      await db.$queryRaw`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = 'catchment archive' and datname = current_database()`;
      outcomes.push(await broken.prepare(week).catch((error: Error) => error.message));
      return found;
    },
  });
  await sweep(slow);
  expect(outcomes).toEqual(["Disk full"]);
  expect(await db.delivery.count()).toBe(40);
  await sweep(archiveWith(storage));
  expect(
    (await verifyWeek(storage, week, { sealer: testSealer, knownSha256: null })).tables[0],
  ).toMatchObject({ rows: 40 });
});

test("a week of which the storage gives back an earlier archive stays", async () => {
  await fillWeek(db, week);
  await archiveWith(storage).prepare(week);
  const earlier = new Map<string, Buffer | null>();
  for (const name of await storage.list(week))
    earlier.set(`${week}/${name}`, await storage.get(`${week}/${name}`));
  await db.$executeRaw`update deliveries set event_type = 'changed since'`;
  // As a cache in front of a bucket does.
  const stale = archiveWith({
    ...storage,
    get: async (name) => earlier.get(name) ?? (await storage.get(name)),
  });
  await expect(sweep(stale)).rejects.toThrow(`${week}/${manifestName} isn't as it was written.`);
  expect(await db.delivery.count()).toBe(40);
});
