import { describe, expect, it } from "vitest";
import { idFloor } from "#lib/core/api/page.ts";
import { toEventKey } from "#lib/core/sending/event-id.ts";
import { findEventId, getEvent } from "#lib/db/events/events.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { ensurePartitions } from "#lib/db/postgres/partitions/partitions.ts";
import { addRun, endRuns, readRuns } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { sweepBefore, sweepShortLived } from "./retention.ts";

const { db } = withDatabase();
const account = "00000000-0000-7000-8000-000000000001";
const hook = "00000000-0000-7000-8000-000000000002";
const day = 86_400_000;

async function insertDelivery(at: Date): Promise<void> {
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip, stored_at)
    values (uuid_v7_at(${at}), ${account}::uuid, ${hook}::uuid, 'accepted', ${at}, 'POST', '', '', '[]', 0, '', 'verified', '', ${at})`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, delivery_id, state, finished_at)
    select run_id(id, 0), ${account}::uuid, ${hook}::uuid, id, 'succeeded', ${at} from deliveries where received_at = ${at}`;
  await db.$executeRaw`
    insert into dedupe_keys (key, delivery_id, created_at) values (gen_random_uuid(), gen_random_uuid(), ${at})`;
}

async function ensureWeeks(sinceMs: number): Promise<void> {
  for (const table of ["deliveries", "events", "runs", "attempts"])
    await db.$queryRaw`select ensure_weekly_partitions(${table}, ${new Date(sinceMs)}, now())`;
}

async function listPartitions(): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'deliveries'::regclass order by 1`;
  return rows.map(({ name }) => name);
}

describe("sweepBefore", () => {
  it("drops past weeks, deletes their small rows, and keeps the rest", async () => {
    const now = Date.now();
    await ensureWeeks(now - 60 * day);
    await insertDelivery(new Date(now - 50 * day));
    await insertDelivery(new Date(now - 1 * day));
    const before = await listPartitions();

    const swept = await sweepBefore(db, new Date(now - 30 * day), () => false);

    const after = await listPartitions();
    expect(swept.partitions.length).toBeGreaterThanOrEqual(4);
    expect(before.filter((name) => !after.includes(name))).toEqual(
      swept.partitions.filter((name) => name.startsWith("deliveries")),
    );
    expect(swept).toMatchObject({ strays: 0, dedupeKeys: 1 });
    for (const name of swept.partitions.filter((of) => of.startsWith("deliveries")))
      expect(swept.partitions).toContain(name.replace("deliveries", "runs"));
    expect(await db.delivery.count()).toBe(1);
    expect(await db.run.count()).toBe(1);
    expect(await db.dedupeKey.count()).toBe(1);
  });

  it("keeps a week that is not over, even if it started before the cutoff", async () => {
    const names = await listPartitions();
    const swept = await sweepBefore(db, new Date(), () => false);
    const thisWeek = names.filter((name) => !swept.partitions.includes(name));
    expect(thisWeek).toContain("deliveries_default");
    expect(thisWeek.length).toBeGreaterThanOrEqual(5);
  });

  it("removes a delivery with its runs and their attempts, even outside any weekly partition", async () => {
    const now = Date.now();
    await ensureWeeks(now - 60 * day);
    const before = await readRuns(db);
    // The ids are before the first week, as with a clock that is years behind. The runs were
    // retried manually a day ago.
    const ages = [50, 33, 3_000];
    for (const age of ages) {
      await insertDelivery(new Date(now - age * day));
      // There are replays, one still open, and the delivery's own run, retried manually and open
      // again.
      const [delivery] = await db.$queryRaw<{ id: string }[]>`
        select id from deliveries where id >= uuid_v7_floor(${new Date(now - age * day - 1)}) order by id limit 1`;
      for (const state of ["retrying", "failed"] as const)
        await db.$executeRaw`
          insert into attempts (id, run_id, account_id, number, started_at, duration_ms)
          select uuid_v7_at(${new Date(now - day)}), ${await addRun(db, {
            accountId: account,
            targetId: hook,
            deliveryId: delivery?.id ?? null,
            state,
          })}::uuid, ${account}::uuid, 1, now(), 1`;
      await db.$executeRaw`
        with back as (delete from runs where id = run_id(${delivery?.id}::uuid, 0) returning *), tried as (
          insert into attempts (id, run_id, account_id, number, started_at, duration_ms)
          select uuid_v7_at(${new Date(now - day)}), id, account_id, 1, now(), 1 from back
        )
        insert into queue (id, account_id, target_id, delivery_id, due_at) select id, account_id, target_id, delivery_id, now() from back`;
    }
    // The cutoff is within the week of the second one. That week is not over, so all of it is kept.
    const cutoff = new Date(now - 33 * day + 1);
    const count = async () => [await db.delivery.count(), await db.queuedRun.count()];
    const kept = await count();
    expect((await sweepBefore(db, cutoff, () => false)).moved).toBe(1);
    // With an open run, nothing goes: neither a delivery of no week, nor one whose week is over.
    expect(await count()).toEqual(kept);
    await endRuns(
      db,
      (await db.queuedRun.findMany()).map(({ id }) => id),
      { state: "failed" },
    );
    const swept = await sweepBefore(db, cutoff, () => false);
    expect(swept.strays).toBe(2);
    const left = await db.$queryRaw<{ deliveries: number; attempts: number }[]>`
      select (select count(*) from deliveries where id < uuid_v7_floor(now() - interval '2 days'))::int as deliveries,
        (select count(*) from attempts)::int as attempts`;
    const orphans = await db.$queryRaw`
      with every as (select id, delivery_id from queue union all select id, delivery_id from runs)
      select from attempts a where not exists (select from every r where r.id = a.run_id)
      union all select from every r where delivery_id is not null and not exists (select from deliveries d where d.id = r.delivery_id)`;
    expect([left, orphans]).toEqual([[{ deliveries: 1, attempts: 3 }], []]);
    expect((await readRuns(db)).length - before.length).toBe(3);
    await sweepBefore(db, new Date(now), () => false);
  });

  it("leaves a week that is being read to the next sweep with its runs, and removes everything else", {
    tags: "variant",
  }, async () => {
    const now = Date.now();
    await ensureWeeks(now - 60 * day);
    await insertDelivery(new Date(now - 50 * day));
    const before = (await readRuns(db)).length;
    const sweep = () => sweepBefore(db, new Date(now - 30 * day), () => false);
    const swept = await db.$transaction(
      async (reader) => {
        await reader.$queryRaw`select count(*) from deliveries`;
        return sweep();
      },
      { timeout: 300_000 },
    );
    expect(swept).toMatchObject({ partitions: [], runs: 0, dedupeKeys: 1 });
    expect(await readRuns(db)).toHaveLength(before);
    const next = await sweep();
    expect(next.partitions.length).toBeGreaterThanOrEqual(4);
    expect(await readRuns(db)).toHaveLength(before - 1);
  });

  it("creates the coming weeks, even from many processes at once", async () => {
    await Promise.all([ensurePartitions(db), ensurePartitions(db)]);
    const inFourWeeks = new Date(Date.now() + 28 * day);
    const rows = await db.$queryRaw<{ name: string }[]>`
      select tableoid::regclass::text as name from deliveries limit 0`;
    expect(rows).toEqual([]);
    await insertDelivery(inFourWeeks);
    const [row] = await db.$queryRaw<{ name: string }[]>`
      select tableoid::regclass::text as name from deliveries where received_at = ${inFourWeeks}`;
    expect(row?.name).toMatch(/^deliveries_\d{8}$/);
  });
});

describe("sweepShortLived", () => {
  it("deletes idempotency keys after a day", async () => {
    const insert = (key: string, at: Date) =>
      db.idempotencyKey.create({
        data: { accountId: account, key, requestHash: Buffer.alloc(32), createdAt: at },
      });
    await insert("old", new Date(Date.now() - 25 * 3_600_000));
    await insert("new", new Date());
    await sweepShortLived(db);
    expect((await db.idempotencyKey.findMany()).map(({ key }) => key)).toEqual(["new"]);
  });

  it("deletes the counts of sign-ins after a day, but an address that signed in weeks ago still protects from being locked out", async () => {
    const insert = (key: string, days: number) =>
      db.signInThrottle.create({
        data: {
          ...{ key, failures: 0, blockedUntil: new Date() },
          updatedAt: new Date(Date.now() - days * day),
        },
      });
    await insert("known:email:address", 30);
    await insert("pair:email:address", 2);
    await insert("pair:email:other", 0.5);
    await sweepShortLived(db);
    const keys = (await db.signInThrottle.findMany({ orderBy: { key: "asc" } })).map(
      ({ key }) => key,
    );
    expect(keys).toEqual(["known:email:address", "pair:email:other"]);
  });
});

it("removes published events with their keys and sends, also those of a later resend", async () => {
  const now = Date.now();
  await ensureWeeks(now - 60 * day);
  const publish = async (at: Date) => {
    await db.$executeRaw`
      insert into events (id, account_id, public_id, type, body, stored_at)
      values (uuid_v7_at(${at}), ${account}::uuid, ${at.toISOString()}, 'a', '', ${at})`;
    await db.$executeRaw`
      insert into event_keys (key, event_id, content, created_at)
      select gen_random_uuid(), id, id, ${at} from events where public_id = ${at.toISOString()}`;
    await db.$executeRaw`
      insert into runs (id, account_id, target_id, event_id, state, finished_at)
      select run_id(id, 0), ${account}::uuid, ${hook}::uuid, id, 'succeeded', ${at} from events where public_id = ${at.toISOString()}`;
    await db.$executeRaw`
      insert into queue (id, account_id, target_id, event_id, due_at, has_own_id)
      select uuid_v7_at(now()), ${account}::uuid, ${hook}::uuid, id, now(), true from events where public_id = ${at.toISOString()}`;
  };
  await publish(new Date(now - 50 * day));
  await publish(new Date(now - 50 * 365 * day));
  await publish(new Date(now - 1 * day));
  await sweepBefore(db, new Date(now - 30 * day), () => false);
  expect(await db.event.count({ where: { accountId: account } })).toBe(3);
  await endRuns(
    db,
    (await db.queuedRun.findMany()).map(({ id }) => id),
    { state: "failed" },
  );
  await sweepBefore(db, new Date(now - 30 * day), () => false);
  const kept = await db.event.findMany({ where: { accountId: account } });
  expect(kept.map(({ publicId }) => publicId)).toEqual([new Date(now - day).toISOString()]);
  const [row] = await db.$queryRaw<unknown[]>`
    select (select count(*)::int from event_keys) as keys,
      (select count(*)::int from runs where event_id is not null) as runs,
      (select count(*)::int from queue where event_id is not null) as queued`;
  expect(row).toEqual({ keys: 1, runs: 2, queued: 0 });
});

it("keeps the key of a published event as long as the event", async () => {
  const start = startOfWeek(Date.now() - 30 * day);
  await ensureWeeks(start);
  const content = "00000000-0000-7000-8000-000000000003";
  const publish = async (atMs: number) => {
    const event = { accountId: account, publicId: "in_1", type: "a", recipient: null, body: "{}" };
    const key = toEventKey(account, event.publicId);
    const more = { id: idFloor(atMs), occurredAtMs: null, key, content, warning: null };
    const [stored] = await storeEvents(db, [{ ...event, ...more }]);
    await db.$executeRaw`update events set stored_at = to_timestamp(uuid_v7_ms(id) / 1000.0) where public_id = 'in_1'`;
    return stored?.outcome;
  };
  expect(await publish(start + day)).toBe("stored");
  await db.$executeRaw`update event_keys set created_at = ${new Date(start + day)} where content = ${content}::uuid`;
  await sweepBefore(db, new Date(start + 3 * day), () => false);
  expect(await getEvent(db, account, "in_1")).toMatchObject({ id: "in_1", type: "a" });
  expect(await publish(start + 2 * day)).toBe("duplicate");
  await sweepBefore(db, new Date(start + 7 * day), () => false);
  expect(await db.$queryRaw`select 1 from event_keys where content = ${content}::uuid`).toEqual([]);
});

it("finds a restored event by the id that its publisher gave", async () => {
  const start = startOfWeek(Date.now() - 40 * day);
  await ensureWeeks(start);
  const givenIds = ["in_2", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"];
  const ids = givenIds.map((_, place) => idFloor(start + day + place));
  const find = (accountId = account) =>
    Promise.all(givenIds.map((id) => findEventId(db, accountId, id)));
  await db.$executeRaw`
    insert into events (id, account_id, public_id, type, body)
    select id, ${account}::uuid, public_id, 'a', '' from unnest(${ids}::uuid[], ${givenIds}::text[]) as t(id, public_id)`;
  expect(await find()).toEqual([null, null]);
  await db.$executeRaw`insert into kept_weeks (week, kept_until) values (${new Date(start)}::date, now() + interval '1 day')`;
  expect(await find()).toEqual(ids);
  expect(await find(hook)).toEqual([null, null]);
  expect(await findEventId(db, account, ids[0] ?? "")).toBe(ids[0]);
});
