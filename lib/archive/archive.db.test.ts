import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import type { ArchiveEnv } from "#lib/core/env/archive-settings.ts";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import type { BeforeDrop } from "#lib/db/archive/drop-weeks.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { endOf, startOf, type Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { endOpenRuns, fillWeek, readFingerprints, weeksAgo } from "#lib/db/testing/fill-week.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { archiveBeforeDrop } from "./archive-weeks.ts";
import { isStrays, manifestName } from "./format.ts";
import { openStorage } from "./open-storage.ts";
import { readManifest, verifyWeek } from "./read-week.ts";
import { type RestoredTable, restoreWeek } from "./restore-week.ts";
import { withBucket } from "./testing/with-bucket.ts";

const week = weeksAgo(20);
const cutoff = endOf(week);
const folder = mkdtempSync(join(tmpdir(), "catchment-archive-"));
const inFolder: ArchiveEnv = { kind: "folder", folder };
let test_: TestDatabase;
let db: Database;

beforeEach(async () => {
  test_ = await createTestDatabase();
  db = createDatabase({ url: test_.url, poolSize: 3, applicationName: "test" });
});
afterEach(async () => {
  await db.$disconnect();
  await test_.drop();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const before = (env: ArchiveEnv) =>
  archiveBeforeDrop({
    db,
    databaseUrl: test_.url,
    storage: openStorage(env),
    sealer: testSealer,
    signal: never,
  });
const sweep = (beforeDrop: BeforeDrop) => sweepBefore(db, cutoff, () => false, beforeDrop);

async function restore(env: ArchiveEnv, of: Week = week): Promise<readonly RestoredTable[]> {
  const keepUntil = new Date(Date.now() + 86_400_000);
  const restored = await withArchiveSession(test_.url, (client) =>
    restoreWeek({ client, storage: openStorage(env), week: of, keepUntil, sealer: testSealer }),
  );
  if (restored === null) throw new Error("Another process is archiving");
  return restored;
}

async function expectRoundTrip(env: ArchiveEnv): Promise<void> {
  const { hook } = await fillWeek(db, week);
  const filled = await readFingerprints(db);
  expect(Object.values(filled).every(({ rows }) => rows > 0)).toBe(true);

  const swept = await sweep(before(env));
  expect(swept.partitions).toContain(`deliveries_${week.replaceAll("-", "")}`);
  // What has an open run outlives its week, and is archived with its outcome before it goes.
  const left = await readFingerprints(db);
  expect([left.queue, left.deliveries?.rows]).toEqual([filled.queue, filled.queue?.rows]);
  await endOpenRuns(db);
  await sweep(before(env));
  const strays = (await openStorage(env).listFolders()).filter(isStrays);
  expect(strays).toHaveLength(1);
  const { tables } = await verifyWeek(openStorage(env), strays[0] ?? "", {
    sealer: testSealer,
    knownSha256: null,
  });
  expect(tables.find(({ name }) => name === "deliveries")?.rows).toBe(filled.queue?.rows);
  expect(Object.values(await readFingerprints(db)).map(({ rows }) => rows)).toEqual(
    Object.values(filled).map(() => 0),
  );
  const manifest = await verifyWeek(openStorage(env), week, {
    sealer: testSealer,
    knownSha256: null,
  });
  expect(manifest.tables.map(({ name, rows }) => [name, rows])).toEqual(
    Object.entries(filled).map(([name, { rows }]) => [name, rows]),
  );

  const restored = await restore(env);
  expect(restored.every(({ rows, restored: count }) => rows === count)).toBe(true);
  // Open runs may have run since. They wait for a person, with their steps, and nothing is run again.
  const open = filled.queue?.rows ?? 0;
  expect(await db.run.count({ where: { reasonCode: "restored", state: "cancelled" } })).toBe(open);
  await db.run.deleteMany({ where: { reasonCode: "restored" } });
  expect(await readFingerprints(db)).toEqual({
    ...filled,
    queue: expect.objectContaining({ rows: 0 }),
  });

  // Once more changes nothing, and the next sweeps leave it alone.
  const again = await restore(env);
  expect(again.map(({ name, restored: count }) => [name, count])).toEqual(
    restored.map(({ name }) => [name, name === "queue" ? open : 0]),
  );
  await db.run.deleteMany({ where: { reasonCode: "restored" } });
  expect((await sweep(before(env))).partitions).toEqual([]);
  expect(await readFingerprints(db)).toEqual({
    ...filled,
    queue: expect.objectContaining({ rows: 0 }),
  });
  const page = await listDeliveries(
    db,
    hook.accountId,
    { hookId: hook.id, from: startOf(week).getTime(), to: endOf(week).getTime() },
    { limit: 100 },
  );
  expect(page.items).toHaveLength(filled.deliveries?.rows ?? 0);

  // When its time is over, it goes without another archive.
  await db.delivery.deleteMany({ where: { eventId: "evt_1" } });
  await db.$executeRaw`update kept_weeks set kept_until = now()`;
  await sweep(before(env));
  expect(await db.delivery.count()).toBe(0);
  expect(
    await verifyWeek(openStorage(env), week, { sealer: testSealer, knownSha256: null }),
  ).toEqual(manifest);
}

test("an archived week in a folder is restored row by row, stays for a while, and runs nothing", () =>
  expectRoundTrip(inFolder));

test(
  "an archived week in a bucket is restored row by row, stays for a while, and runs nothing",
  { tags: "variant" },
  () => withBucket(expectRoundTrip),
);

test("what outlived its week is restored from an archive of its own", {
  tags: "variant",
}, async () => {
  await fillWeek(db, week, 12);
  await sweep(before(inFolder));
  await endOpenRuns(db);
  await sweep(before(inFolder));
  expect(await db.delivery.count()).toBe(0);
  const [name = ""] = (await openStorage(inFolder).listFolders()).filter(isStrays);
  const restored = await restore(inFolder, name);
  expect(restored[0]).toMatchObject({ name: "deliveries", rows: 2, restored: 2 });
  await sweep(before(inFolder));
  const runs = await db.run.findMany({ where: { state: "succeeded" } });
  expect([await db.delivery.count(), runs.length >= 2]).toEqual([2, true]);
});

test("a wrong key for a bucket keeps the week", () =>
  withBucket(async (env) => {
    await fillWeek(db, week, 3);
    const wrong = { ...env, secretAccessKey: "another" };
    await expect(sweep(before(wrong))).rejects.toThrow(
      /responded with 403 \(SignatureDoesNotMatch\)/,
    );
    expect(await db.delivery.count()).toBe(3);
  }));

test("what belongs to a hook that was deleted since stays deleted", async () => {
  const { hook } = await fillWeek(db, week);
  const other = await fillWeek(db, week);
  await endOpenRuns(db);
  await sweep(before(inFolder));
  await db.hook.update({ where: { id: hook.id }, data: { deletedAt: new Date() } });
  await restore(inFolder);
  const [of, others] = [{ hookId: hook.id }, { hookId: other.hook.id }];
  expect([await db.delivery.count({ where: of }), await db.run.count({ where: of })]).toEqual([
    0, 0,
  ]);
  expect(await db.delivery.count({ where: others })).toBe(40);
});

test.each([
  ["a part that was changed", "deliveries/000001.ndjson.zst", "isn't as it was written"],
  ["a part that is missing", "attempts/000001.ndjson.zst", "is missing"],
  ["a manifest that was changed", manifestName, "is damaged"],
  ["no manifest", manifestName, "no whole archive"],
])("%s: nothing is restored", async (what, name, message) => {
  await fillWeek(db, week);
  await endOpenRuns(db);
  await sweep(before(inFolder));
  const path = join(folder, week, name);
  if (/changed/.test(what)) {
    const bytes = readFileSync(path);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(path, name === manifestName ? bytes.subarray(0, -20) : bytes);
  } else rmSync(path);
  await expect(restore(inFolder)).rejects.toThrow(message);
  expect(await db.delivery.count()).toBe(0);
  expect(await db.run.count()).toBe(0);
});

test("a week that is changed after it was archived stays, and is archived again", async () => {
  const { hook } = await fillWeek(db, week);
  await endOpenRuns(db);
  const { prepare, ...others } = before(inFolder);
  await sweep({
    ...others,
    async prepare(of) {
      const isReady = await prepare(of);
      await db.$executeRaw`delete from answers where account_id = ${hook.accountId}::uuid`;
      return isReady;
    },
  });
  expect(await db.delivery.count()).toBe(40);
  // Also of what hangs on it in later weeks.
  await sweep({
    ...others,
    async prepare(of) {
      const isReady = await prepare(of);
      await db.$executeRaw`
        insert into queue (id, account_id, target_id, delivery_id, due_at, has_own_id)
        select uuid_v7_at(now()), account_id, hook_id, id, now(), true from deliveries order by id limit 1`;
      return isReady;
    },
  });
  expect(await db.delivery.count()).toBe(40);
  const filled = await readFingerprints(db);
  await sweep(before(inFolder));
  expect(await db.delivery.count()).toBe(1);
  const { manifest } = (await readManifest(openStorage(inFolder), week)) ?? {};
  expect(manifest?.tables.map(({ rows }) => rows)).toEqual(
    Object.values(filled).map(({ rows }) => rows),
  );
});

test("an archive of another database is never overwritten", async () => {
  await fillWeek(db, week, 3);
  await sweep(before(inFolder));
  await db.$executeRaw`delete from archived_weeks`;
  await fillWeek(db, week, 3);
  await expect(sweep(before(inFolder))).rejects.toThrow(/isn't of this database/);
  expect(await db.delivery.count()).toBe(3);
});

test.each([
  ["before its first file", 0],
  ["after its first file", 1],
  ["before its manifest", 7],
  ["before its manifest is read back", 8],
])("kill -9 %s loses nothing, and the week isn't dropped", async (_when, puts) => {
  await fillWeek(db, week);
  await endOpenRuns(db);
  const filled = await readFingerprints(db);
  const script = join(import.meta.dirname, "testing/archive-once.ts");
  const child = spawn(process.execPath, [script, test_.url, folder, week, String(puts)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe("standing still\n");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readFingerprints(db)).toEqual(filled);
  await expect
    .poll(async () => {
      await sweep(before(inFolder));
      return await db.delivery.count();
    })
    .toBe(0);
  await restore(inFolder);
  await db.run.deleteMany({ where: { reasonCode: "restored" } });
  expect(await readFingerprints(db)).toEqual({
    ...filled,
    queue: expect.objectContaining({ rows: 0 }),
  });
});

test("a full disk keeps the week", async () => {
  await fillWeek(db, week);
  mkdirSync(join(folder, week, "runs"), { recursive: true });
  symlinkSync("/dev/full", join(folder, week, "runs/000001.ndjson.zst.partial"));
  await expect(sweep(before(inFolder))).rejects.toThrow(/is full \(ENOSPC\)/);
  expect(await db.delivery.count()).toBe(40);
});
