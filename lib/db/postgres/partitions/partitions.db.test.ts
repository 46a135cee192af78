import { Client } from "pg";
import { afterAll, beforeEach, expect, it } from "vitest";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";

const { url, drop } = await createTestDatabase();
const db = createDatabase({ url, poolSize: 3, applicationName: "partitions test" });
afterAll(async () => {
  await db.$disconnect();
  await drop();
});
beforeEach(() => db.$executeRaw`truncate deliveries`);

const account = "00000000-0000-7000-8000-000000000001";
const weekMs = 7 * 86_400_000;

async function insertDelivery(at: Date): Promise<void> {
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    values (uuid_v7_at(${at}), ${account}::uuid, ${account}::uuid, 'accepted', ${at}, 'POST', '', '', '[]', 0, '', 'verified', '')`;
}

async function ensureUntil(at: Date): Promise<number> {
  const [row] = await db.$queryRaw<
    { made: number }[]
  >`select ensure_weekly_partitions('deliveries', now(), ${at}) as made`;
  return row?.made ?? 0;
}

async function listHomes(): Promise<string[]> {
  const rows = await db.$queryRaw<
    { name: string }[]
  >`select tableoid::regclass::text as name from deliveries order by id`;
  return rows.map(({ name }) => name);
}

const inWeeks = (weeks: number) => new Date(Date.now() + weeks * weekMs);

it("rows stored before their week existed are moved into it, and later weeks follow", async () => {
  // Those of the template, if a week has started since it was made.
  await ensureUntil(inWeeks(4));
  await insertDelivery(inWeeks(8));
  await insertDelivery(inWeeks(200));
  expect(await listHomes()).toEqual(["deliveries_default", "deliveries_default"]);
  expect(await ensureUntil(inWeeks(9))).toBe(5);
  expect(await listHomes()).toEqual([
    expect.stringMatching(/^deliveries_\d{8}$/),
    "deliveries_default",
  ]);
  await insertDelivery(inWeeks(9));
  expect((await listHomes())[1]).toMatch(/^deliveries_\d{8}$/);
});

it("a week has the indexes and constraints of all the others", async () => {
  const shapes = await db.$queryRaw<{ indexes: string[]; checks: string[]; columns: string[] }[]>`
    select distinct
      array(select substring(pg_get_indexdef(indexrelid) from 'USING.*') from pg_index where indrelid = inhrelid order by 1) as indexes,
      array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = inhrelid and contype = 'c' order by 1) as checks,
      array(select attname || ' ' || attnotnull || ' ' || attstorage::text from pg_attribute where attrelid = inhrelid and attnum > 0 order by 1)
        as columns
    from pg_inherits where inhparent = 'deliveries'::regclass`;
  expect(shapes).toHaveLength(1);
  expect(shapes[0]?.indexes.length).toBeGreaterThan(5);
  expect(shapes[0]?.checks.length).toBeGreaterThan(0);
});

it("a long read, such as a dump, delays the creation of a week but no delivery", async () => {
  const dump = new Client({ connectionString: url });
  await dump.connect();
  await dump.query("begin; select count(*) from deliveries");
  // It waits a second for its lock, and is tried again, as by the server.
  let isDumping = true;
  let made: unknown;
  const making = (async () => {
    while (isDumping) made = await ensureUntil(inWeeks(12)).catch(String);
  })();
  await expect.poll(() => countWaiting(db)).toBe(1);
  await insertDelivery(new Date());
  expect(await listHomes()).toHaveLength(1);
  await expect.poll(() => made).toMatch(/lock timeout/);
  isDumping = false;
  await making;
  expect(made).toMatch(/lock timeout/);
  await dump.query("rollback");
  await dump.end();
  expect(await ensureUntil(inWeeks(12))).toBe(3);
});
