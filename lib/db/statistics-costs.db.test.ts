import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { createDatabase, type Database } from "./client.ts";
import { readAccountStatistics } from "./statistics.ts";
import { rollUpStatistics } from "./statistics-roll-up.ts";
import { countReads } from "./testing/count-reads.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

/**
 * In a database that is as new as its first burst the planner knows nothing of its tables yet. (It once read the index of all attempts
 * for each of them: a page of figures took a third of a second after 10,000 deliveries.)
 */
let test: TestDatabase;
let db: Database;
const [accountId, hookId, actionId] = [newId(), newId(), newId()];
const deliveries = 3_000;
const hour = 3_600_000;

beforeAll(async () => {
  test = await createTestDatabase();
  // One connection: its counters are flushed by the statement that reads them.
  db = createDatabase({ url: test.url, poolSize: 1, applicationName: "statistics costs" });
  await db.account.create({ data: { id: accountId, slug: "busy", name: "n" } });
  await db.hook.create({
    data: { id: hookId, accountId, key: hookId, name: "n", provider: "generic", methods: ["POST"] },
  });
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    select uuid_v7_at(at), ${accountId}::uuid, ${hookId}::uuid, 'accepted', at, 'POST', '', '', '[]', 2, '{}', 'verified', '127.0.0.1'
    from (select now() - interval '2 minutes' - n * interval '5 milliseconds' as at from generate_series(1, ${deliveries}::int) n) made`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, delivery_id, action_id, state, due_at, finished_at, attempt_count)
    select uuid_v7_at(received_at), account_id, ${actionId}::uuid, hook_id, id, ${actionId}::uuid, 'succeeded', now(), now(), 1
    from deliveries`;
  await db.$executeRaw`
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request)
    select uuid_v7_at(created_at), id, account_id, 1, created_at, 1, to_json(repeat('as wide as they are ', 40)) from (
      select id, account_id, to_timestamp(uuid_v7_ms(id) / 1000.0) + interval '10 milliseconds' as created_at from runs
    ) made`;
});
afterAll(async () => {
  await db.$disconnect();
  await test.drop();
});

const read = () => {
  const nowMs = Date.now();
  const fromMs = Math.floor(nowMs / hour) * hour - 23 * hour;
  return readAccountStatistics(db, accountId, { fromMs, bucketMs: hour, nowMs });
};

it("a page of figures reads each uncounted row a few times at most", async () => {
  const reads = await countReads(db, /^(deliveries|runs|attempts)/, async () => {
    expect((await read()).runs.succeeded).toBe(deliveries);
  });
  expect(reads).toBeLessThan(8 * deliveries);
});

it("so does counting them", async () => {
  const sinceMs = Date.now() - hour;
  const reads = await countReads(db, /^(deliveries|runs|attempts)/, async () => {
    await rollUpStatistics(db, { sinceMs, budgetMs: 20_000, shouldStop: () => false });
  });
  expect((await db.runStatistic.aggregate({ _sum: { count: true } }))._sum.count).toBe(BigInt(deliveries));
  expect(reads).toBeLessThan(12 * deliveries);
});
