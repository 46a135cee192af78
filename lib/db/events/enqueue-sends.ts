import { Prisma } from "#lib/db/generated/client.ts";
import { toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { matchSubscriptions, type Topics } from "./match-subscriptions.ts";

/**
 * The maximum number of sends in a statement that stores several events. It takes about a sixth of
 * a second, so that others have their turn, and stays within the time limit of a statement.
 */
export const maxStatementSends = 10_000;

/** True if a statement failed because it would have queued too many sends. Nothing was stored. */
export function isTooManySends(error: unknown): boolean {
  return sqlStateOf(error) === "CM001";
}

/**
 * CTEs that queue a run for each row of `sent_events` and each matching subscription, which are
 * `event_targets`. See `insertSends`.
 *
 * @param topics the topics, indexed by the number in `topic`
 * @param maxSends if there may be more, the statement fails with `isTooManySends`; null: no limit
 */
export function enqueueSends({ topics, numbers }: Topics, maxSends: number | null): Prisma.Sql {
  const counts = topics.map(() => 0);
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return Prisma.sql`
    event_targets as materialized (${matchSubscriptions(topics)}
    ), send_limit as materialized (
      select limit_sends(sum((${toPlainArrayText(counts)}::int[])[topic + 1]), ${maxSends}::bigint) as is_kept
      from event_targets
    ), ${insertSends({ ...sendsOfEvent, isKept: Prisma.sql`(select is_kept from send_limit)` })}`;
}

type Sends = {
  readonly id: Prisma.Sql;
  readonly hasOwnId: Prisma.Sql;
  /** False: nothing is queued. */
  readonly isKept?: Prisma.Sql;
  readonly returning?: Prisma.Sql;
};

/** Sends that are queued with their event. Their ids follow from the event's. */
export const sendsOfEvent: Sends = {
  id: Prisma.sql`run_id(event.id, ordinal)`,
  hasOwnId: Prisma.sql`false`,
};

/** Sends that are queued later, so they have ids of their own. */
export const laterSends: Sends = {
  id: Prisma.sql`uuid_v7_at(clock_timestamp())`,
  hasOwnId: Prisma.sql`true`,
};

/**
 * CTEs that queue a run for each row of `sent_events (id, account_id, body_size, topic, position)`
 * and each row of `event_targets (topic, subscription_id, ordered, ordinal)` with its topic. Ordered
 * subscriptions give positions under the locks of their rows, which are taken in order.
 */
export function insertSends({
  id,
  hasOwnId,
  isKept = Prisma.sql`true`,
  returning = Prisma.empty,
}: Sends): Prisma.Sql {
  return Prisma.sql`
    event_places as (
      insert into subscription_positions as known (subscription_id, last_position)
      select subscription_id, count(*) from sent_events join event_targets using (topic)
      where ordered and ${isKept}
      group by 1 order by 1
      on conflict (subscription_id) do update
        set last_position = known.last_position + excluded.last_position
      returning subscription_id, last_position
    ), enqueued_sends as (
      insert into queue (id, account_id, target_id, event_id, due_at, body_size, has_own_id, position)
      select ${id}, account_id, subscription_id, event.id, now(), body_size, ${hasOwnId}, null
      from sent_events as event join event_targets using (topic)
      where not ordered and ${isKept}
      union all
      select ${id}, account_id, subscription_id, event.id, now(), body_size, ${hasOwnId},
        -- Counted back from the last position, which belongs to the last event.
        1 + last_position
          - row_number() over (partition by subscription_id order by event.position desc)
      from sent_events as event
      join event_targets using (topic) join event_places using (subscription_id)
      where ordered
      ${returning}
    )`;
}
