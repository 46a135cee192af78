import { enqueueSends } from "#lib/db/events/enqueue-sends.ts";
import { toTopics } from "#lib/db/events/match-subscriptions.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { toArrayText, toPlainArrayText, toSparseArrayText } from "#lib/db/postgres/array-text.ts";
import { PackedValues } from "#lib/db/postgres/packed-values.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

/** The event that an accepted delivery becomes. The event's id is also its public id. */
export type PublishedDelivery = {
  /** UUIDv7. */
  readonly id: string;
  readonly type: string;
  readonly recipient: string | null;
  /** The body as JSON, byte for byte what every receiver gets. */
  readonly body: string;
  readonly warning: string | null;
};

export type PublishingRow = {
  readonly id: string;
  readonly accountId: string;
  readonly published: PublishedDelivery;
};

/**
 * CTEs that store the events of deliveries that `evaluated (position, id, account_id, outcome)`
 * accepts, and queue their sends: a delivery and its event are stored together or not at all.
 */
export function publishDeliveries(
  rows: readonly PublishingRow[],
  maxSends: number | null,
): Prisma.Sql {
  const events = rows.map(({ published }) => published);
  const topics = toTopics(rows.map(({ accountId, published }) => ({ accountId, ...published })));
  const packed = new PackedValues();
  const bodies = events.map(({ body }) => packed.add(body));
  return Prisma.sql`
    publishing as materialized (
      select t.*, evaluated.account_id, evaluated.position
      from unnest(
        ${toUuidArray(rows.map(({ id }) => id))}::uuid[],
        ${toUuidArray(events.map(({ id }) => id))}::uuid[],
        ${toPlainArrayText(topics.numbers)}::int[],
        ${toPlainArrayText(bodies.map(({ start }) => start))}::int[],
        ${toPlainArrayText(bodies.map(({ size }) => size))}::int[],
        ${toArrayText(events.map(({ type }) => type))}::text[],
        ${toSparseArrayText(events.map(({ recipient }) => recipient))}::text[],
        ${toSparseArrayText(events.map(({ warning }) => warning))}::text[]
      ) as t(delivery_id, id, topic, body_at, body_size, type, recipient, warning)
      join evaluated on evaluated.id = t.delivery_id and evaluated.outcome = 'accepted'
    ), event_bytes as materialized (select ${packed.toBytes()}::bytea as bytes
    ), stored_events as (
      insert into events (id, account_id, public_id, type, recipient, body, delivery_id, warning)
      select id, account_id, id::text, type, recipient, substring(bytes from body_at for body_size),
        delivery_id, warning
      from publishing cross join event_bytes
    ), sent_events as (
      select id, account_id, body_size, topic, position from publishing
    ), ${enqueueSends(topics, maxSends)}`;
}
