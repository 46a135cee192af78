import { Prisma } from "../../generated/client.ts";

/**
 * `with recursive` part: the action queues that have open runs, one index lookup each (a loose
 * index scan), regardless of the number of waiting runs. An action queue is the open runs of one
 * action.
 */
export const actionQueues = Prisma.sql`action_queues as (
    (select account_id, target_id from queue order by account_id, target_id limit 1)
    union all
    select next.account_id, next.target_id
    from action_queues cross join lateral (
      select account_id, target_id from queue
      where (account_id, target_id) > (action_queues.account_id, action_queues.target_id)
      order by account_id, target_id limit 1
    ) next
  )`;

/**
 * Rows read beyond a queue's cap. Runs are due in the order in which their transactions started,
 * not committed: a few may sort before ones that are already leased, and those must still be seen.
 */
export const queueSlack = 16;

/**
 * The same for a queue whose cap a user has set, which holds although a whole batch of catch or of a bulk job, 500
 * runs, is committed late. And for ordered subscriptions, where the runs of such a batch are due at once.
 */
export const lateRuns = 512;
