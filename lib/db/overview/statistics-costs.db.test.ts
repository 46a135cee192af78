import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { findLastOutcomes } from "#lib/db/runs/open-runs.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { readAccountStatistics, readActionStatistics } from "./statistics.ts";

/**
 * A new database that gets its first burst: the planner has no statistics of its tables yet. (It
 * once read the index of all attempts for each of them: a page of statistics took a third of a
 * second after 10,000 deliveries.)
 */
// One connection: its counters are flushed by the statement that reads them.
const { db } = withDatabase({ poolSize: 1 });
const [accountId, hookId, actionId] = [newId(), newId(), newId()];
const deliveries = 3_000;
const hour = 3_600_000;

beforeAll(async () => {
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
    insert into runs (id, account_id, target_id, hook_id, delivery_id, state, finished_at, attempt_count, started_at, duration_ms, request)
    select run_id(id, 0), account_id, ${actionId}::uuid, hook_id, id, 'succeeded', now(), 1, received_at + interval '10 milliseconds', 1,
      to_json(repeat('as wide as they are ', 40))
    from deliveries`;
  // Runs of an older version have their attempts in a separate table.
  await db.$executeRaw`
    with old as (
      update runs set started_at = null, duration_ms = null, request = null where uuid_hash(id) % 2 = 0 returning id, account_id
    )
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request)
    select uuid_v7_at(created_at), id, account_id, 1, created_at, 1, to_json(repeat('as wide as they are ', 40)) from (
      select id, account_id, to_timestamp(uuid_v7_ms(id) / 1000.0) + interval '10 milliseconds' as created_at from old
    ) made`;
});

const read = () => {
  const nowMs = Date.now();
  const fromMs = Math.floor(nowMs / hour) * hour - 23 * hour;
  return readAccountStatistics(db, accountId, { fromMs, bucketMs: hour, nowMs });
};

it("a statistics page reads each uncounted row a few times at most", async () => {
  const reads = await countReads(db, /^(deliveries|runs|queue|attempts)/, async () => {
    expect((await read()).runs.succeeded).toBe(deliveries);
  });
  expect(reads).toBeLessThan(8 * deliveries);
});

it("the health of a hook's actions costs no more than a page of figures, however much they ran", async () => {
  const since = Date.now() - 24 * hour;
  const statistics = await countReads(db, /^(deliveries|runs|queue|attempts)/, async () => {
    expect((await readActionStatistics(db, accountId, hookId)).get(actionId)?.succeeded).toBe(
      deliveries,
    );
  });
  expect(statistics).toBeLessThan(4 * deliveries);
  const outcomes = await countReads(db, /^(deliveries|runs|queue|attempts)/, async () => {
    expect((await findLastOutcomes(db, accountId, [actionId], since)).get(actionId)).toBe(
      "succeeded",
    );
  });
  expect(outcomes).toBeLessThan(100);
});

it("so does a roll-up", async () => {
  const sinceMs = Date.now() - hour;
  const reads = await countReads(db, /^(deliveries|runs|queue|attempts)/, async () => {
    while (await rollUpStep(db, sinceMs));
  });
  expect((await db.runStatistic.aggregate({ _sum: { count: true } }))._sum.count).toBe(
    BigInt(deliveries),
  );
  expect(reads).toBeLessThan(12 * deliveries);
});
