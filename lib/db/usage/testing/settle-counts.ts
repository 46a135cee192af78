import type { Database } from "#lib/db/postgres/client.ts";
import { countUsage } from "#lib/db/usage/count-usage.ts";
import type { UsageCounts } from "#lib/db/usage/select-usage.ts";

/** Counts all hours again that have changed, or may have, and whatever isn't counted yet. */
export async function settleCounts(db: Database): Promise<void> {
  await db.$executeRaw`update usage_recounts set recount_at = now()`;
  while (await countUsage(db));
}

/** What the stored rows of an account sum up to, counted in another way than the product does. */
export async function sumStored(db: Database, accountId: string): Promise<UsageCounts> {
  const [row] = await db.$queryRaw<UsageCounts[]>`
    select (select count(*) from deliveries where account_id = a.id)::int as deliveries,
      (select coalesce(sum(body_size), 0) from deliveries where account_id = a.id)::int
        + (select coalesce(sum(length(body)), 0) from events where account_id = a.id)::int as bytes,
      (select count(*) from events where account_id = a.id)::int as events,
      (select count(*) from runs where account_id = a.id and hook_id is null and attempt_count > 0)::int
        + (select count(*) from queue where account_id = a.id and hook_id is null and attempt_count > 0)::int as sends,
      (select coalesce(sum(attempt_count), 0) from runs where account_id = a.id)::int
        + (select coalesce(sum(attempt_count), 0) from queue where account_id = a.id)::int as calls
    from accounts a where a.id = ${accountId}::uuid`;
  if (row === undefined) throw new Error("There is no such account");
  return row;
}
