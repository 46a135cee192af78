import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { customPlans } from "#lib/db/postgres/plan-settings.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";
import { listDeliveries } from "./list-deliveries.ts";

/** An account with many hooks: a lookup for each hook, status, and week is too many. */
let test: TestDatabase;
let db: Database;
const accountId = newId();
const hooks = Array.from({ length: 300 }, () => newId());
const gone = newId();
const [goneAction, day] = [newId(), 86_400_000];
const limit = 20;

beforeAll(async () => {
  test = await createTestDatabase();
  // One connection: its counters are flushed by the statement that reads them.
  db = createDatabase({
    url: test.url,
    settings: customPlans,
    poolSize: 1,
    applicationName: "many hooks",
  });
  await db.account.create({ data: { id: accountId, slug: "many", name: "n" } });
  await db.hook.createMany({
    data: [...hooks, gone].map((id) => ({
      id,
      accountId,
      key: id,
      name: "n",
      provider: "generic",
      methods: ["POST"],
    })),
  });
  await db.action.create({
    data: { id: goneAction, accountId, hookId: gone, name: "a", request: {}, timeoutMs: 1_000 },
  });
  for (const table of ["deliveries", "runs"])
    await db.$queryRaw`select ensure_weekly_partitions(${table}, ${new Date(Date.now() - 40 * day)}, now())`;
  // One delivery in 3,000 is of a rare type, and one in ten is rejected.
  await insert(hooks, 30_000, 40);
  await insert([gone], 4_500, 0.01);
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, delivery_id, finished_at, state)
    select run_id(id, 0), account_id, ${goneAction}::uuid, hook_id, id, now(), 'succeeded' from deliveries where hook_id = ${gone}::uuid`;
  await db.$executeRawUnsafe("vacuum analyze deliveries, runs, hooks");
});
afterAll(async () => {
  await db.$disconnect();
  await test.drop();
});

async function insert(hookIds: string[], count: number, days: number): Promise<void> {
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body, event_type,
      verification_outcome, source_ip)
    select uuid_v7_at(at), ${accountId}::uuid, (${hookIds}::uuid[])[1 + n % ${hookIds.length}::int],
      case when n % 10 = 0 then 'rejected' else 'accepted' end, at, 'POST', '', '', '[]', 2, '{}',
      case when n % 3000 = 1500 then 'rare' else 'common' end, 'verified', '127.0.0.1'
    from (
      select n, now() - n * (${days}::float8 * interval '1 day' / ${count}::int) as at from generate_series(1, ${count}::int) n
    ) as made`;
}

/** Reads all pages, and returns the largest number of reads for one of them. */
async function readAll(filter: DeliveryFilter, maxPages = 100) {
  const ids: string[] = [];
  let [pages, most] = [0, 0];
  for (let cursor: string | null | undefined; cursor !== null && pages < maxPages; pages += 1) {
    const before: string | undefined = cursor;
    const reads = await countReads(db, /^deliveries/, async () => {
      const page = await listDeliveries(db, accountId, filter, { limit, cursor: before });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    });
    most = Math.max(most, reads);
  }
  return { ids, pages, most };
}

async function expected(type: string | null, status: string | null): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where hook_id <> ${gone}::uuid and (${type}::text is null or event_type = ${type})
      and (${status}::text is null or status = ${status}) order by id desc`;
  return rows.map(({ id }) => id);
}

it("a rare type is found in all weeks, a few at a time", async () => {
  const { ids, pages, most } = await readAll({ eventType: "rare" });
  // The result includes deliveries of the hook that is about to be deleted.
  expect(ids.slice(-10)).toEqual(await expected("rare", null));
  expect(pages).toBeLessThan(8);
  expect(most).toBeLessThan(3_000);
});

it("a rare status of the whole account is found at once", async () => {
  const { ids, most } = await readAll({ status: "rejected" }, 10);
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where status = 'rejected' order by id desc limit ${10 * limit}::int`;
  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(most).toBeLessThan(12 * (limit + 1));
});

it("a deleted hook with the newest rows costs a bounded walk, until it is purged", async () => {
  await db.hook.update({ where: { id: gone }, data: { deletedAt: new Date() } });
  const all = await expected("common", "accepted");
  const found: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < 4; page += 1) {
    const before: string | undefined = cursor ?? undefined;
    const reads = await countReads(db, /^deliveries/, async () => {
      const list = await listDeliveries(db, accountId, {}, { limit, cursor: before });
      found.push(...list.items.map(({ id }) => id));
      cursor = list.nextCursor;
    });
    expect(reads).toBeLessThan(9_000);
  }
  expect(found.length).toBeGreaterThan(limit);
  expect((await expected(null, null)).slice(0, found.length)).toEqual(found);
  const { removedRows, isDone } = await purgeDeletedHooks(db, { batchRows: 500 });
  expect([removedRows, isDone]).toEqual([9_000, true]);
  expect(await db.hook.count({ where: { id: gone } })).toBe(0);
  expect(await db.delivery.count({ where: { hookId: gone } })).toBe(0);
  expect(await db.run.count({ where: { hookId: gone } })).toBe(0);
  expect(await expected("common", "accepted")).toEqual(all);
});
