import { expect, it } from "vitest";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { storingPlans } from "#lib/db/postgres/plan-settings.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { storeEvents } from "./store-events.ts";

const bench = withDatabase();

it.each(["force_generic_plan", "force_custom_plan"])(
  "100,000 subscriptions of 10,000 recipients cost an event no more than ten, with plans from when there were ten: %s",
  { tags: "variant" },
  async (mode) => {
    // The test uses one connection, whose plans are kept.
    const db = createDatabase({
      url: bench.url,
      settings: { ...storingPlans, plan_cache_mode: mode },
      poolSize: 1,
      applicationName: "publish costs",
    });
    const account = await addAccount(bench.db);
    for (let index = 0; index < 10; index += 1)
      await addSubscription(bench.db, account, {
        recipient: `cust_${index % 2}`,
        eventTypes: ["invoice.*", "order.created"],
      });
    await bench.db.$executeRaw`vacuum analyze`;
    const publish = () =>
      storeEvents(
        db,
        Array.from({ length: 100 }, (_, index) =>
          newEvent(account, {
            recipient: `cust_${index % 2}`,
            publicId: `evt_${mode}_${index}_${Math.random().toString(36).slice(2)}`,
          }),
        ),
      );
    for (let round = 0; round < 7; round += 1) await publish();
    const few = await countBlocks(db, publish);
    await addMany(bench.db, account);
    const many = await countBlocks(db, publish);
    // Rows that don't match are not read: only the trees are up to two levels deeper, for 100 events.
    expect(many).toBeLessThan(few + 250);
    await db.$disconnect();
  },
);

/** Adds 9,999 recipients with 10 subscriptions each. Statistics stay as they are. */
async function addMany(db: Database, accountId: string): Promise<void> {
  for (let part = 0; part < 10; part += 1)
    await db.$executeRaw`
      with made as (
        insert into subscriptions (id, account_id, recipient, receiver_url, event_types)
        select gen_random_uuid(), ${accountId}::uuid, 'cust_' || (2 + n % 9999), 'https://x.example', '{invoice.*,order.created}'
        from generate_series(${part * 9999}::int, ${part * 9999 + 9998}::int) as n
        returning id, recipient, event_types
      )
      insert into subscription_patterns (account_id, recipient, pattern, subscription_id)
      select ${accountId}::uuid, recipient, pattern, id from made cross join unnest(event_types) as pattern`;
}

/** The blocks that PostgreSQL touches for `work`, in all tables. */
async function countBlocks(db: Database, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await db.$queryRaw`select 1 from pg_stat_force_next_flush()`;
    await db.$queryRaw`select 1 from pg_stat_clear_snapshot()`;
    const [row] = await db.$queryRaw<{ blocks: number }[]>`
      select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as blocks
      from pg_statio_user_tables`;
    return row?.blocks ?? Number.NaN;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}
