import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./client.ts";
import { ensurePartitions } from "./partitions.ts";
import { sweepBefore, sweepShortLived } from "./retention.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let test: TestDatabase;
let db: Database;
const account = "00000000-0000-7000-8000-000000000001";
const hook = "00000000-0000-7000-8000-000000000002";
const day = 86_400_000;

beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, poolSize: 2, applicationName: "retention-test" });
});
afterAll(async () => {
  await db.$disconnect();
  await test.drop();
});

async function insertDelivery(at: Date): Promise<void> {
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    values (uuid_v7_at(${at}), ${account}::uuid, ${hook}::uuid, 'accepted', ${at}, 'POST', '', '', '[]', 0, '', 'verified', '')`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, state, due_at, finished_at)
    values (uuid_v7_at(${at}), ${account}::uuid, ${hook}::uuid, 'succeeded', ${at}, ${at})`;
  await db.$executeRaw`
    insert into dedupe_keys (hook_id, key_hash, delivery_id, created_at)
    values (${hook}::uuid, sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), ${at})`;
}

async function listPartitions(): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'deliveries'::regclass order by 1`;
  return rows.map(({ name }) => name);
}

describe("sweepBefore", () => {
  it("drops the weeks that are over and deletes their small rows, and keeps the rest", async () => {
    const now = Date.now();
    await db.$queryRaw`select ensure_weekly_partitions('deliveries', ${new Date(now - 60 * day)}, now())`;
    await insertDelivery(new Date(now - 50 * day));
    await insertDelivery(new Date(now - 1 * day));
    const before = await listPartitions();

    const swept = await sweepBefore(db, new Date(now - 30 * day), () => false);

    const after = await listPartitions();
    expect(swept.partitions.length).toBeGreaterThanOrEqual(4);
    expect(before.filter((name) => !after.includes(name))).toEqual(
      swept.partitions.filter((name) => name.startsWith("deliveries")),
    );
    expect(swept).toMatchObject({ runs: 1, dedupeKeys: 1 });
    expect(await db.delivery.count()).toBe(1);
    expect(await db.run.count()).toBe(1);
    expect(await db.dedupeKey.count()).toBe(1);
  });

  it("a week that is not over yet stays, also when it began before the cutoff", async () => {
    const names = await listPartitions();
    const swept = await sweepBefore(db, new Date(), () => false);
    const thisWeek = names.filter((name) => !swept.partitions.includes(name));
    expect(thisWeek).toContain("deliveries_default");
    expect(thisWeek.length).toBeGreaterThanOrEqual(5);
  });

  it("a run that has an attempt ahead stays, however short the retention is, until its delivery must be gone", async () => {
    const insertOpenRun = (daysAgo: number) => db.$executeRaw`
      insert into runs (id, account_id, target_id, state, due_at)
      values (uuid_v7_at(${new Date(Date.now() - daysAgo * day)}), ${account}::uuid, ${hook}::uuid, 'retrying', now() + interval '3 hours')`;
    const sweep = async () => (await sweepBefore(db, new Date(Date.now() - day), () => false)).runs;
    await sweep();
    await insertOpenRun(2);
    await insertOpenRun(7.5);
    await insertOpenRun(9.5);
    expect(await sweep()).toBe(1);
    await db.$executeRaw`update runs set state = 'succeeded', finished_at = now() where state = 'retrying'`;
    expect(await sweep()).toBe(2);
  });

  it("a week that somebody reads right now waits for the next sweep; everything else goes", async () => {
    const now = Date.now();
    await db.$queryRaw`select ensure_weekly_partitions('deliveries', ${new Date(now - 60 * day)}, now())`;
    await insertDelivery(new Date(now - 50 * day));
    const sweep = () => sweepBefore(db, new Date(now - 30 * day), () => false);
    const swept = await db.$transaction(
      async (reader) => {
        await reader.$queryRaw`select count(*) from deliveries`;
        return sweep();
      },
      { timeout: 30_000 },
    );
    expect(swept).toMatchObject({ partitions: [], runs: 1, dedupeKeys: 1 });
    expect((await sweep()).partitions.length).toBeGreaterThanOrEqual(4);
  });

  it("makes the weeks ahead, from many processes at once", async () => {
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
  it("forgets idempotency keys after a day", async () => {
    const insert = (key: string, at: Date) =>
      db.idempotencyKey.create({
        data: { accountId: account, key, requestHash: Buffer.alloc(32), createdAt: at },
      });
    await insert("old", new Date(Date.now() - 25 * 3_600_000));
    await insert("new", new Date());
    await sweepShortLived(db);
    expect((await db.idempotencyKey.findMany()).map(({ key }) => key)).toEqual(["new"]);
  });

  it("leaves to sign-in what it knows: an address that somebody signed in from weeks ago still protects from being locked out", async () => {
    const key = "known:email:address";
    await db.signInThrottle.create({
      data: { key, failures: 0, blockedUntil: new Date(), updatedAt: new Date(Date.now() - 30 * day) },
    });
    await sweepShortLived(db);
    expect(await db.signInThrottle.count({ where: { key } })).toBe(1);
  });
});
