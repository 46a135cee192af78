import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

export type NewSends = {
  readonly accountId: string;
  /** Internal ids, in the order in which an ordered subscription gets them. */
  readonly eventIds: readonly string[];
  readonly subscriptionIds: readonly string[];
};

/**
 * Queues a new send of each event to each subscription, in one statement. The caller has checked
 * that they belong together. Ordered subscriptions get the next positions.
 *
 * @returns the ids of the runs, by event and subscription
 */
export async function queueSends(
  tx: SqlStatements,
  { accountId, eventIds, subscriptionIds }: NewSends,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    with wanted as materialized (
      select e.id, octet_length(e.body) as body_size, given.place
      from unnest(${[...eventIds]}::uuid[]) with ordinality as given(event_id, place)
      cross join lateral (
        select id, body from events where id = given.event_id and account_id = ${accountId}::uuid limit 1
      ) e
    ), targets as materialized (
      select id, ordered from subscriptions
      where id = any (${[...subscriptionIds]}::uuid[]) and account_id = ${accountId}::uuid
    ), places as (
      insert into subscription_positions as known (subscription_id, last_position)
      select id, (select count(*) from wanted) from targets where ordered order by id
      on conflict (subscription_id) do update set last_position = known.last_position + excluded.last_position
      returning subscription_id, last_position
    ), queued as (
      insert into queue (id, account_id, target_id, event_id, due_at, body_size, has_own_id, position)
      select uuid_v7_at(clock_timestamp()), ${accountId}::uuid, targets.id, wanted.id, now(), wanted.body_size, true,
        1 + places.last_position - row_number() over (partition by targets.id order by wanted.place desc)
      from wanted cross join targets left join places on places.subscription_id = targets.id
      order by wanted.place, targets.id
      returning id
    )
    select id from queued order by id`;
  return rows.map(({ id }) => id);
}
