import { Prisma } from "../../generated/client.ts";
import { isSeen } from "./claim-order.ts";
import { breakerConcurrency } from "./record-health.ts";

/** Parts of the claim: targets with a rate or a breaker, and the destinations that have limits. */
export const limited = Prisma.sql`shared_destinations as materialized (
      select id as target_id, account_id, rate_seconds::float8 / rate_count as seconds_each,
        coalesce(max_concurrency, case when breaker_failures is not null then greatest(${breakerConcurrency}::int, breaker_failures) end) as cap,
        breaker_window_seconds * interval '1 s' as breaker_span, breaker_open_seconds * interval '1 s' as breaker_pause
      from destinations where id = any (array(select destination_id from open_queues where destination_id is not null))
    ), limited as materialized (
      select target_id, seconds_each, cap, breaker_span, breaker_pause from open_queues
      where seconds_each is not null or breaker_span is not null
      union all
      select target_id, seconds_each, cap, breaker_span, breaker_pause from shared_destinations
    )`;

/**
 * The number of runs that may start for each destination. As with an ordered action, one worker at
 * a time has the turn, because two that look at different actions could together exceed its
 * concurrency. All actions that share it count, including those that this claim takes no runs from.
 */
export const allowances = Prisma.sql`destination_turns as materialized (
      select d.target_id from shared_destinations d
      where not exists (select from target_turns t where t.target_id = d.target_id)
      union all
      select * from (
        select t.target_id from target_turns t
        where t.target_id = any (array(select target_id from shared_destinations)) and ${isSeen}
        for update skip locked
      ) seen
    ), allowances as materialized (
      select d.target_id, case when d.target_id = any (array(select target_id from destination_turns)) then least(
          case when d.seconds_each is not null then coalesce((select tokens from rated where rated.target_id = d.target_id), 0) end,
          gate.starts, case when gate.starts > 0 then null else least(d.cap, gate.room) - in_flight.count end
        ) else 0 end as starts
      from shared_destinations d left join gates gate on gate.target_id = d.target_id
      cross join lateral (
        select count(r.lease_id) as count from actions a cross join lateral (
          select lease_id from queue
          where account_id = a.account_id and target_id = a.id and due_at <= now()
          order by due_at limit 1016
        ) r
        where a.account_id = d.account_id and a.destination_ids[1] = d.target_id and a.steps is null and d.cap is not null
      ) in_flight
    )`;

/** The runs of actions with such a destination that may start. Actions take turns. */
export const shared = Prisma.sql`shared as materialized (
      select ranked.id from (
        select id, destination_id, row_number() over (partition by destination_id order by queue_rank, due_at, id) as place_in_line
        from front
        where destination_id is not null and lease_id is null and not is_unkeyed
          and queue_rank <= least(learned_limit - queue_leased, tokens)
      ) ranked join allowances on allowances.target_id = ranked.destination_id
      where place_in_line <= starts
    )`;

/** The runs that this claim starts, for each target and each destination that they count for. */
export const started = Prisma.sql`started as materialized (
      select id, target_id from claimed where is_unkeyed is not true
      union all
      select c.id, q.destination_id from claimed c join open_queues q on q.target_id = c.target_id
      where q.destination_id is not null and c.is_unkeyed is not true
    )`;
