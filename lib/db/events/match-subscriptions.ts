import { listPatterns } from "#lib/core/sending/event-type-patterns.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { toArrayText, toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

/** The properties of an event that decide which subscriptions it goes to. */
export type Topic = {
  readonly accountId: string;
  readonly type: string;
  /** Null: only subscriptions without a recipient get it. */
  readonly recipient: string | null;
};

/** The distinct topics of some events, and the number of each event's topic, from 0. */
export type Topics = {
  readonly topics: readonly Topic[];
  readonly numbers: readonly number[];
};

/** Events often share a topic, which is then looked up once. */
export function toTopics(events: readonly Topic[]): Topics {
  const topics: Topic[] = [];
  const known = new Map<string, number>();
  const numbers = events.map((topic) => {
    const key = `${topic.accountId} ${topic.type} ${topic.recipient ?? ""}`;
    const number = known.get(key) ?? topics.length;
    if (number === topics.length) {
      known.set(key, number);
      topics.push(topic);
    }
    return number;
  });
  return { topics, numbers };
}

/**
 * The active subscriptions of each topic, as rows `(topic, subscription_id, ordered, ordinal)`.
 * `ordinal` counts from 0 within a topic, in the order of ids, for `run_id(event.id, ordinal)`.
 *
 * Patterns are compared for equality: an event type looks up all patterns that match it. `offset 0`
 * keeps the planner from joining whole tables, which looks cheap when it expects small ones: each
 * pattern and each subscription is one step in a primary key, regardless of their number.
 */
export function matchSubscriptions(topics: readonly Topic[]): Prisma.Sql {
  const wanted = topics.flatMap(({ accountId, type, recipient }, topic) =>
    listPatterns(type).map((pattern) => ({ topic, accountId, pattern, recipient })),
  );
  return Prisma.sql`
    select topic, id as subscription_id, ordered,
      (row_number() over (partition by topic order by id))::int - 1 as ordinal
    from (
      select distinct topic, subscription_id
      from unnest(
        ${toPlainArrayText(wanted.map(({ topic }) => topic))}::int[],
        ${toUuidArray(wanted.map(({ accountId }) => accountId))}::uuid[],
        ${toArrayText(wanted.map(({ recipient }) => recipient ?? ""))}::text[],
        ${toPlainArrayText(wanted.map(({ pattern }) => pattern))}::text[]
      ) as wanted(topic, account_id, recipient, pattern)
      cross join lateral (
        select subscription_id from subscription_patterns as known
        where known.account_id = wanted.account_id and known.recipient = wanted.recipient
          and known.pattern = wanted.pattern
        offset 0
      ) as known
    ) as matched
    cross join lateral (
      select id, ordered from subscriptions
      where id = matched.subscription_id and status = 'active' and deleted_at is null
      offset 0
    ) as subscription`;
}

/** True if an account has a subscription that gets its events in order. */
export async function hasOrdered(db: SqlStatements, accountId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    select exists (
      select from subscriptions where account_id = ${accountId}::uuid and ordered and deleted_at is null
    ) as found`;
  return row?.found ?? true;
}
