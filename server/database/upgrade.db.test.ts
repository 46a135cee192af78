import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { claimRuns } from "#lib/db/queue/claim/claim-runs.ts";
import { finishRuns } from "#lib/db/queue/finish-runs.ts";
import { findLostWorkers, rescueRuns } from "#lib/db/queue/rescue-runs.ts";
import { listRuns, listRunsOfDelivery } from "#lib/db/runs/list-runs.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { endOpenRuns } from "#lib/db/testing/fill-week.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { cancelRun, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { withConnection } from "./database-connection.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { oldRowWriter } from "./testing/old-rows.ts";
import { type Kind, kinds } from "./testing/old-run-kinds.ts";

const firstNewMigration = "20261122100000_queue";
const dayMs = 86_400_000;
/** The week in which the test began. Another one may begin meanwhile. */
const thisWeekMs = startOfWeek(Date.now());
/** The oldest week of which such an installation has a table. */
const lastWeekMs = thisWeekMs - 3 * dayMs;
const names = Object.keys(kinds) as Kind[];

const ids = new Map<Kind, string>();
const deliveries = new Map<Kind, string>();
let owners: ReturnType<typeof oldRowWriter>["ids"];
let database: TestDatabase;
let db: Database;

const of = (kind: Kind): string => ids.get(kind) ?? "";
const hash = (text: string) => createHash("sha256").update(text).digest();

function chooseId(kind: Kind): string {
  if (kind === "ahead" || kind === "aheadOpen")
    return idFloor(Date.now() + 2 * dayMs).slice(0, 24) + newId().slice(24);
  return kind === "ofLastWeek" ? idFloor(lastWeekMs).slice(0, 24) + newId().slice(24) : newId();
}

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const { url } = database;
  const migrations = readMigrations(migrationsFolder);
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === firstNewMigration),
  );
  await withConnection(url, async (client) => {
    await migrate({ url, client, migrations: before });
    const old = oldRowWriter(client);
    owners = old.ids;
    await old.addOwners();
    const workerId = await old.addDeadWorker();
    for (const kind of names) {
      const run = kinds[kind];
      const hookId = "isOfPausedHook" in run ? owners.pausedHookId : owners.hookId;
      const at = new Date(kind === "ofLastWeek" ? lastWeekMs : Date.now());
      if (kind === "replay") deliveries.set(kind, deliveries.get("succeeded") ?? "");
      else if (!kind.endsWith("Subscription"))
        deliveries.set(kind, await old.addDelivery(at, hookId));
      ids.set(kind, chooseId(kind));
      const lease = kind === "leased" || kind === "crashed" ? { workerId } : {};
      const crashes = kind === "crashed" ? 2 : 0;
      const deliveryId = deliveries.get(kind) ?? null;
      await old.addRun({ ...run, ...lease, crashes, id: of(kind), deliveryId });
    }
    const key = { deliveryId: deliveries.get("succeeded") ?? "", ageSeconds: 120, seen: 3 };
    await old.addDedupeKey({ ...key, hash: hash("forever"), withinSeconds: null });
    await old.addDedupeKey({ ...key, hash: hash("a day"), withinSeconds: 86_400 });
    await old.addDedupeKey({ ...key, hash: hash("a minute"), withinSeconds: 60 });
    await migrate({ url, client, migrations });
    // No released version could make one, so the migration starts with an empty table.
    await client.query(
      "insert into subscriptions (id, account_id, receiver_url, event_types) values ($1, $2, 'https://r.example', '{*}')",
      [owners.subscriptionId, owners.accountId],
    );
  });
  db = createDatabase({ url, poolSize: 4, applicationName: "upgrade-test" });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

test("every run is listed once, with its state and its reason", async () => {
  const { items } = await listRuns(db, owners.accountId, {}, { limit: 100 });
  expect(items.map(({ id }) => id)).toEqual([...ids.values()].toSorted().toReversed());
  const found = new Map(items.map((item) => [item.id, item]));
  for (const kind of names) {
    const { state, attempts } = kinds[kind];
    expect([kind, found.get(of(kind))?.attemptCount]).toEqual([kind, attempts]);
    const shown = { leased: "running", crashed: "running", held: "held" }[kind as string] ?? state;
    expect([kind, found.get(of(kind))?.status]).toEqual([kind, shown]);
  }
  const timeout = { code: "timeout", detail: "No answer within 5 s: gave up." };
  expect(found.get(of("retryingOld"))?.reason).toEqual(timeout);
  expect(found.get(of("failedOld"))?.reason).toEqual(timeout);
  expect(found.get(of("failed"))?.reason).toEqual({ code: "http_400", detail: "No." });
  expect(found.get(of("cancelledOld"))?.reason).toEqual({
    code: "cancelled",
    detail: "It was cancelled manually.",
  });
  expect(found.get(of("succeeded"))?.reason).toBeNull();
  expect(found.get(of("sentToSubscription"))).toMatchObject({
    subscriptionId: owners.subscriptionId,
    actionId: null,
  });
});

test.each([
  ["succeeded", ["succeeded", "sentToSubscription", "ahead", "ofLastWeek", "replay"]],
  ["failed", ["failed", "failedOld"]],
  ["skipped", ["skipped"]],
  ["cancelled", ["cancelledOld"]],
  ["retrying", ["retrying", "retryingOld"]],
  ["running", ["leased", "crashed"]],
  ["held", ["held"]],
] as const)("the list of %s runs has the old ones", async (status, expected) => {
  const { items } = await listRuns(db, owners.accountId, { status }, { limit: 100 });
  expect(items.map(({ id }) => id).toSorted()).toEqual(expected.map(of).toSorted());
});

test("a run keeps its attempts, and a delivery its runs and replays", async () => {
  for (const kind of names) {
    const { attempts } = await getRun(db, owners.accountId, of(kind));
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3].slice(0, kinds[kind].attempts));
    expect(attempts.every(({ responseJson }) => responseJson === '{"status":500}')).toBe(true);
  }
  const delivery = deliveries.get("succeeded") ?? "";
  const runs = await listRunsOfDelivery(db, owners.accountId, delivery);
  expect(runs.map(({ id }) => id)).toEqual([of("succeeded"), of("replay")]);
});

test("statistics count old runs", async () => {
  const hourMs = 3_600_000;
  const lastHour = Prisma.sql`${new Date(Math.floor(lastWeekMs / hourMs) * hourMs)}::timestamptz`;
  // The hours in between have been counted.
  await db.$executeRaw`
    insert into statistics_hours (hour, counted_until, recount_at)
    values (date_trunc('hour', now()), now(), null),
      (${lastHour}, ${lastHour} + interval '1 hour', now())`;
  const sinceMs = Date.now() - 30 * dayMs;
  while (await rollUpStep(db, sinceMs));
  const rows = await db.$queryRaw<{ state: string; count: number }[]>`
    select state, sum(count)::int as count from run_statistics where hour < ${new Date(thisWeekMs)} group by state`;
  expect(rows).toEqual([{ state: "succeeded", count: 1 }]);
  const last = await db.lastDelivery.findMany({ select: { deliveryId: true } });
  const held = deliveries.get("held") ?? "";
  // Two of one millisecond are in any order.
  const ofHook = [...deliveries.values()].filter((id) => id !== held).toSorted();
  const newest = [held, ofHook.at(-1)];
  expect(last.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(newest.toSorted());
});

test("an event that was stored before is still a duplicate, within its time", async () => {
  const hook = { id: owners.hookId, accountId: owners.accountId };
  const again = (text: string, withinSeconds?: number) =>
    newDelivery(hook, { keyHash: hash(text), withinSeconds, status: "accepted" });
  const stored = await storeDeliveries(db, [
    again("forever"),
    again("a day", 86_400),
    again("a minute", 60),
    again("another"),
  ]);
  const original = deliveries.get("succeeded") ?? null;
  expect(stored.map(({ duplicateOf }) => duplicateOf)).toEqual([original, original, null, null]);
  const seen = await db.dedupeKey.findMany({ select: { seenCount: true } });
  expect(seen.map(({ seenCount }) => seenCount).toSorted()).toEqual([1, 1, 4, 4]);
  await db.$executeRaw`delete from queue where delivery_id = any (${stored.map(({ id }) => id)}::uuid[])`;
});

test("runs of a worker that died before the upgrade are rescued, or quarantined the third time", async () => {
  await findLostWorkers(db);
  const lostWorkerIds = (await findLostWorkers(db)).map(({ id }) => id);
  const rescued = await rescueRuns(db, { lostWorkerIds, actionCap: 100 });
  expect(new Map(rescued.map(({ id, isQuarantined }) => [id, isQuarantined]))).toEqual(
    new Map([
      [of("leased"), false],
      [of("crashed"), true],
    ]),
  );
  const crashed = await getRun(db, owners.accountId, of("crashed"));
  expect(crashed).toMatchObject({ status: "failed", attemptCount: 3 });
  expect(crashed.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test("old runs are canceled and retried", async () => {
  const cancelled = await cancelRun(testContext(db, owners.accountId), { id: of("retryingOld") });
  expect(cancelled).toMatchObject({ status: "cancelled", attemptCount: 2 });
  expect(cancelled.attempts.map(({ number }) => number)).toEqual([1, 2]);
  for (const [kind, count] of [
    ["failedOld", 2],
    ["failed", 3],
    ["ahead", 1],
  ] as const) {
    const retried = await retryRun(testContext(db, owners.accountId), { id: of(kind) });
    expect(retried).toMatchObject({ status: "queued", reason: null, attemptCount: count });
    expect(retried.attempts).toHaveLength(count);
    const row = await db.queuedRun.findUniqueOrThrow({ where: { id: of(kind) } });
    expect(row).toMatchObject({ attemptsBefore: count, bodySize: 3, hasOwnId: true });
  }
});

test("old runs are claimed with their deliveries and end with one more attempt", async () => {
  const leaseId = newId();
  await db.subscription.updateMany({ data: { status: "disabled" } });
  const { runs } = await claimRuns(db, {
    workerId: 1,
    leaseId,
    leaseMs: 30_000,
    freeSlots: 1_000,
    freeBytes: 1_000_000,
    actionCap: 100,
    accountCap: 200,
  });
  const due = (["queued", "leased", "failedOld", "failed", "ahead"] as const).map(of);
  expect(runs.map(({ id }) => id).toSorted()).toEqual(due.toSorted());
  expect(
    runs.every((run) => run.kind === "action" && run.delivery?.body.toString() === "abc"),
  ).toBe(true);
  const late = await finishRuns(
    db,
    runs.map((run) => ({
      ...run,
      attemptCount: run.attemptNumber,
      next: { state: "succeeded", reason: null },
      attempt: {
        id: newId(),
        number: run.attemptNumber,
        startedAtMs: Date.now(),
        durationMs: 1,
        requestJson: null,
        responseJson: '{"status":200}',
        errorCode: null,
        errorMessage: null,
      },
    })),
  );
  expect(late.size).toBe(0);
  for (const { id, attemptNumber } of runs) {
    const run = await getRun(db, owners.accountId, id);
    expect(run).toMatchObject({ status: "succeeded", attemptCount: attemptNumber });
    expect(run.attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: attemptNumber }, (_, at) => at + 1),
    );
  }
  expect((await readRuns(db)).map(({ id }) => id)).toEqual([...ids.values()].toSorted());
});

test("retention removes old runs with their deliveries, and then their table", async () => {
  // The row of a process whose clock was behind: it belongs to the old table by its id.
  const behindMs = Math.max(thisWeekMs, Date.now() - dayMs);
  const id = idFloor(behindMs).slice(0, 24) + newId().slice(24);
  const hook = { id: owners.hookId, accountId: owners.accountId };
  await storeDeliveries(db, [newDelivery(hook, { id })]);
  await db.$executeRaw`
    with open as (delete from queue where delivery_id = ${id}::uuid returning *)
    insert into runs (id, account_id, target_id, hook_id, delivery_id, finished_at, state)
    select id, account_id, target_id, hook_id, delivery_id, now(), 'skipped' from open`;
  const oldTables = () =>
    db.$queryRaw<unknown[]>`select 1 from pg_class where relname = 'runs_before'`;
  await sweepBefore(db, new Date(thisWeekMs), () => false);
  const left = await readRuns(db);
  expect(left.some((run) => run.id === of("ofLastWeek"))).toBe(false);
  expect(left).toHaveLength(names.length);
  expect(await oldTables()).toHaveLength(1);
  await endOpenRuns(db);
  await sweepBefore(db, new Date(Date.now() + 15 * dayMs), () => false);
  expect(await readRuns(db)).toEqual([]);
  expect(await oldTables()).toEqual([]);
  const orphans = await db.$queryRaw`select id from attempts union all select id from deliveries`;
  expect(orphans).toEqual([]);
});
