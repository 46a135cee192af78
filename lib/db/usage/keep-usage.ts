import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { addCounts, hourOf, sumUsage, usageLock } from "./select-usage.ts";

/**
 * Parts of a `with` that keep the usage of rows which the same statement deletes: it is taken from what their
 * hour had, and not from their day. The next count of the hour finds them no more, and changes the day by nothing.
 * A deletion waits for a count that may have read the rows.
 *
 * @param rows of `deliveryUsage()`, `eventUsage()`, and `runUsage()`, from parts of the same `with`
 */
export function keptUsage(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`usage_lock as materialized (
      select pg_advisory_xact_lock(${usageLock})
    ), usage_progress_now as materialized (
      select counted_from, counted_until, final_before from usage_progress
    ), usage_gone as materialized (
      select found.* from (${sumUsage(rows)}) found cross join usage_progress_now
      where found.hour >= final_before
    ), usage_kept as (
      insert into usage_hours as known (hour, account_id, kind, subject, deliveries, bytes, events, sends, calls)
      select hour, account_id, kind, subject, -deliveries, -bytes, -events, -sends, -calls from usage_gone cross join usage_lock
      order by hour, account_id, kind, subject
      on conflict (hour, account_id, kind, subject) do update set ${addCounts("+", "known", "excluded")}
    ), usage_due as (
      insert into usage_recounts as known (hour, recount_at)
      select distinct hour, now() from usage_gone cross join usage_progress_now where hour >= counted_from and hour < counted_until
      order by hour
      on conflict (hour) do update set recount_at = least(known.recount_at, excluded.recount_at)
    )`;
}

/** Marks the hours of these ids to be counted again, because something in them has changed. */
export async function recountUsage(db: SqlStatements, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    insert into usage_recounts as known (hour, recount_at)
    select distinct ${hourOf(Prisma.sql`changed.id`)}, now() from unnest(${[...ids]}::uuid[]) as changed(id) cross join usage_progress
    where ${hourOf(Prisma.sql`changed.id`)} >= greatest(final_before, counted_from)
      and ${hourOf(Prisma.sql`changed.id`)} < counted_until
    order by 1
    on conflict (hour) do update set recount_at = least(known.recount_at, excluded.recount_at)`;
}
