import { toArrayText, toPlainArrayText, toSparseArrayText } from "#lib/db/postgres/array-text.ts";
import { PackedValues } from "#lib/db/postgres/packed-values.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import { enqueueSends } from "./enqueue-sends.ts";
import { type Topic, toTopics } from "./match-subscriptions.ts";

/** An event that is ready to be stored. */
export type NewEvent = Topic & {
  /** UUIDv7: decides the partition, the position in every list, and the ids of its runs. */
  readonly id: string;
  /** The id that users and receivers see. */
  readonly publicId: string;
  readonly occurredAtMs: number | null;
  /** The body as JSON, byte for byte what every receiver gets. */
  readonly body: string;
  /** The key from `toEventKey`. Null: the publisher gave no id, so it is never a duplicate. */
  readonly key: string | null;
  /** The key from `toContentKey`. Null if the event has no key. */
  readonly content: string | null;
  /** The difference between its data and the schema of its type. */
  readonly warning: string | null;
};

export type StoredEvent =
  | { readonly outcome: "stored"; readonly runs: number }
  /** The same event was published before, under the same id. */
  | { readonly outcome: "duplicate" }
  /** Another event was published under this id. */
  | { readonly outcome: "conflict" };

/**
 * Writes events of any accounts in one statement: keys, events, and a queued run for each matching
 * subscription commit together or not at all. The unique key decides what is a duplicate, as in
 * `storeDeliveries`. Subscriptions are read here, not from a cache, so that a new one misses
 * nothing.
 *
 * An ordered subscription gives its runs positions under the lock of its row, which is held until
 * the commit: positions follow the order of commits, and within a batch the order of its events.
 * Keys are locked before positions, and both in order, so that two batches never deadlock.
 *
 * @param maxSends if there are more, nothing is stored, and it throws an error that
 *   `isTooManySends` recognizes
 * @returns one entry per event, in order
 */
export async function storeEvents(
  db: SqlStatements,
  events: readonly NewEvent[],
  maxSends: number | null = null,
): Promise<readonly StoredEvent[]> {
  const uuids = (read: (event: NewEvent) => string | null) => toUuidArray(events.map(read));
  const texts = (read: (event: NewEvent) => string | null) => toArrayText(events.map(read));
  const rare = (read: (event: NewEvent) => string | number | null) =>
    toSparseArrayText(events.map(read));
  const topics = toTopics(events);
  const packed = new PackedValues();
  const bodies = events.map(({ body }) => packed.add(body));
  const rows = await db.$queryRaw<Row[]>`
    with batch as materialized (
      select
        ${uuids((e) => e.id)}::uuid[] as ids,
        ${uuids((e) => e.accountId)}::uuid[] as account_ids,
        ${toPlainArrayText(bodies.map(({ size }) => size))}::int[] as body_sizes,
        ${packed.toBytes()}::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(
        ids, account_ids, body_sizes,
        ${toPlainArrayText(topics.numbers)}::int[],
        ${rare((e) => e.key)}::uuid[],
        ${rare((e) => e.content)}::uuid[]
      ) with ordinality as t(id, account_id, body_size, topic, key, content, position)
    ), keyed as (
      insert into event_keys as known (key, event_id, content)
      select distinct on (key) key, id, content from input where key is not null
      order by key, position
      on conflict (key) do update set seen_count = known.seen_count + 1
      returning key, event_id, content
    ), evaluated as materialized (
      select input.position, input.id, input.account_id, input.body_size, input.topic,
        case
          when input.key is null or keyed.event_id = input.id then 'stored'
          when keyed.content = input.content then 'duplicate'
          else 'conflict'
        end as outcome
      from input left join keyed on keyed.key = input.key
    ), stored as (
      insert into events (id, account_id, public_id, type, recipient, occurred_at, body, warning)
      select id, account_id, public_id, type, recipient, to_timestamp(occurred_at_ms / 1000),
        substring(bytes from body_at for body_size), warning
      from batch cross join unnest(
        ids, account_ids, body_sizes,
        ${toPlainArrayText(bodies.map(({ start }) => start))}::int[],
        ${texts((e) => e.publicId)}::text[],
        ${texts((e) => e.type)}::text[],
        ${rare((e) => e.recipient)}::text[],
        ${rare((e) => e.occurredAtMs)}::float8[],
        ${rare((e) => e.warning)}::text[]
      ) with ordinality as t(
        id, account_id, body_size, body_at, public_id, type, recipient, occurred_at_ms, warning, position
      )
      where position not in (select position from evaluated where outcome <> 'stored')
    ), sent_events as (
      select id, account_id, body_size, topic, position from evaluated where outcome = 'stored'
    ), ${enqueueSends(topics, maxSends)}
    select topic as number, 'stored' as outcome, count(*)::int as runs
    from event_targets where (select is_kept from send_limit) group by topic
    union all
    select position::int - 1, outcome, 0 from evaluated where outcome <> 'stored'`;
  return toStored(topics.numbers, rows);
}

/** `number` is a topic's if it is stored, otherwise the event's. */
type Row = {
  readonly number: number;
  readonly outcome: StoredEvent["outcome"];
  readonly runs: number;
};

function toStored(topicNumbers: readonly number[], rows: readonly Row[]): readonly StoredEvent[] {
  const runs = new Map<number, number>();
  const repeated = new Map<number, Exclude<StoredEvent["outcome"], "stored">>();
  for (const row of rows) {
    if (row.outcome === "stored") runs.set(row.number, row.runs);
    else repeated.set(row.number, row.outcome);
  }
  return topicNumbers.map((topic, index) => {
    const outcome = repeated.get(index);
    return outcome === undefined ? { outcome: "stored", runs: runs.get(topic) ?? 0 } : { outcome };
  });
}
