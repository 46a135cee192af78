import { Prisma } from "../generated/client.ts";

/**
 * `with recursive` part: the lanes that have open runs, one look into `runs_lane_idx` each (a loose index scan), however
 * many runs wait in them. A lane is what is open of one action.
 */
export const lanes = Prisma.sql`lanes as (
    (select account_id, target_id from runs where finished_at is null order by account_id, target_id limit 1)
    union all
    select next.account_id, next.target_id
    from lanes cross join lateral (
      select account_id, target_id from runs
      where finished_at is null and (account_id, target_id) > (lanes.account_id, lanes.target_id)
      order by account_id, target_id limit 1
    ) next
  )`;

/**
 * Rows read beyond a lane's cap. Runs are due in the order in which their transactions began, not in which they committed: a few
 * may come to stand before ones that are leased already, and those must still be seen.
 */
export const laneSlack = 16;
