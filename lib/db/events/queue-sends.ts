import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { insertSends, laterSends } from "./enqueue-sends.ts";

type NewSends = {
  readonly accountId: string;
  /** Internal ids, in the order in which an ordered subscription gets the events. */
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
    with sent_events as materialized (
      select e.id, ${accountId}::uuid as account_id, octet_length(e.body) as body_size, 0 as topic, given.position
      from unnest(${[...eventIds]}::uuid[]) with ordinality as given(event_id, position)
      cross join lateral (
        select id, body from events where id = given.event_id and account_id = ${accountId}::uuid limit 1
      ) e
    ), event_targets as materialized (
      select 0 as topic, id as subscription_id, ordered from subscriptions
      where id = any (${[...subscriptionIds]}::uuid[]) and account_id = ${accountId}::uuid
    ), ${insertSends({ ...laterSends, returning: Prisma.sql`returning id` })}
    select id from enqueued_sends order by id`;
  return rows.map(({ id }) => id);
}
