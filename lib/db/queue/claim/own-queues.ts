import { Prisma } from "#lib/db/generated/client.ts";

/**
 * `with recursive` part: the action queues of one account that have open runs, one index lookup
 * each, regardless of the number of waiting runs. See `actionQueues` for all accounts.
 *
 * @param condition a condition on the runs, as `and …`, that an index covers
 */
export function ownQueues(accountId: string, condition = Prisma.empty): Prisma.Sql {
  return Prisma.sql`own_queues as (
    (
      select target_id from queue where account_id = ${accountId}::uuid ${condition}
      order by account_id, target_id limit 1
    )
    union all
    select next.target_id from own_queues cross join lateral (
      select target_id from queue
      where account_id = ${accountId}::uuid and target_id > own_queues.target_id ${condition}
      order by account_id, target_id limit 1
    ) next
  )`;
}
