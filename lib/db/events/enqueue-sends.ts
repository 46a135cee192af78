import { Prisma } from "#lib/db/generated/client.ts";
import { matchSubscriptions, type Topic } from "./match-subscriptions.ts";

/**
 * CTEs that queue a run for each row of `sent_events (id, account_id, body_size, topic, position)`
 * and each of its subscriptions, which are `event_targets`. Ordered subscriptions give positions
 * under the locks of their rows, which are taken in order.
 *
 * @param topics by the number of `topic`
 */
export function enqueueSends(topics: readonly Topic[]): Prisma.Sql {
  return Prisma.sql`
    event_targets as materialized (${matchSubscriptions(topics)}
    ), event_places as (
      insert into subscription_positions as known (subscription_id, last_position)
      select subscription_id, count(*) from sent_events join event_targets using (topic)
      where ordered
      group by 1 order by 1
      on conflict (subscription_id) do update
        set last_position = known.last_position + excluded.last_position
      returning subscription_id, last_position
    ), enqueued_sends as (
      insert into queue (id, account_id, target_id, event_id, due_at, body_size, position)
      select run_id(event.id, ordinal), account_id, subscription_id, event.id, now(), body_size, null
      from sent_events as event join event_targets using (topic)
      where not ordered
      union all
      select run_id(event.id, ordinal), account_id, subscription_id, event.id, now(), body_size,
        -- Counted back from the last position, which belongs to the last event.
        1 + last_position
          - row_number() over (partition by subscription_id order by event.position desc)
      from sent_events as event
      join event_targets using (topic) join event_places using (subscription_id)
      where ordered
    )`;
}
