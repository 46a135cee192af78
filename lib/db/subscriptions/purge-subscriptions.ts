import { firstId, lastId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { cancelQueued } from "#lib/db/runs/move-runs.ts";

/**
 * Cancels the open runs of deleted subscriptions, which would never be claimed. A run in flight is
 * left for the next time. Returns the number.
 */
export async function cancelRunsOfDeletedSubscriptions(
  db: SqlStatements,
  {
    batchRows = 2_000,
    batches = Number.POSITIVE_INFINITY,
    subscriptionId = null,
  }: {
    readonly batchRows?: number;
    readonly batches?: number;
    readonly subscriptionId?: string | null;
  } = {},
): Promise<number> {
  let cancelled = 0;
  for (let done = 0; done < batches; done += 1) {
    const count = await db.$executeRaw(
      cancelQueued(
        Prisma.sql`lease_id is null and id = any (array(
          select q.id from subscriptions s
          cross join lateral (
            select id from queue
            where (account_id, target_id, id) >= (s.account_id, s.id, ${firstId}::uuid)
              and (account_id, target_id, id) <= (s.account_id, s.id, ${lastId}::uuid) and lease_id is null
            order by account_id, target_id, id limit ${batchRows}::int
          ) q
          where s.deleted_at is not null and (${subscriptionId}::uuid is null or s.id = ${subscriptionId}::uuid)
          limit ${batchRows}::int
        ))`,
        { code: "subscription_gone", detail: "The subscription was deleted." },
      ),
    );
    cancelled += count;
    if (count < batchRows) break;
  }
  return cancelled;
}

/**
 * Removes the rows of subscriptions that were deleted more than an hour ago and have no open run.
 * Their ended runs, which are no longer shown, are removed with their week.
 */
export async function purgeDeletedSubscriptions(db: SqlStatements): Promise<number> {
  await cancelRunsOfDeletedSubscriptions(db);
  return await db.$executeRaw`
    with gone as (
      delete from subscriptions s
      where deleted_at < now() - interval '1 hour' and not exists (
        select from queue where (account_id, target_id) >= (s.account_id, s.id) and (account_id, target_id) <= (s.account_id, s.id)
      )
      returning id
    )
    delete from target_rates where target_id in (select id from gone)`;
}
