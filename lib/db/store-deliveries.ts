import { toArrayText, toPlainArrayText } from "./array-text.ts";
import type { SqlStatements } from "./sql-database.ts";

/** A delivery that has been judged and waits to be written. */
export type NewDelivery = {
  /** UUIDv7: decides the partition, and the place in every list. */
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  /** `accepted` becomes `duplicate` where its key is taken already. Runs are made of accepted ones only. */
  readonly status: "accepted" | "rejected" | "pending" | "handshake" | "batch";
  /** Why it was rejected: a code. */
  readonly reason: string | null;
  /** The same in words, as the sender is told. */
  readonly detail: string | null;
  readonly receivedAtMs: number;
  readonly method: string;
  /** What followed the hook's key in the path, as sent. */
  readonly path: string;
  /** Without the question mark, as sent. */
  readonly query: string;
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** 32 bytes; null: unique, never a duplicate. */
  readonly keyHash: Uint8Array | null;
  readonly verificationOutcome: "verified" | "failed" | "not_configured" | "pending";
  readonly verificationScheme: string | null;
  readonly sourceIp: string;
  /** Of a `batch`: its events, which are stored with it or not at all. */
  readonly events?: readonly NewDelivery[];
};

export type StoredDelivery = {
  readonly id: string;
  /** The delivery that carried this event first; null: this one is no duplicate. */
  readonly duplicateOf: string | null;
  /** Of a `batch`. */
  readonly events?: readonly StoredDelivery[];
};

/**
 * Writes a batch in one statement: dedupe keys, deliveries, and a queued run for each enabled action commit
 * together or not at all. The unique key on (hook, hash) decides what is a duplicate, also inside the batch and
 * across processes; `do update` is what makes the statement see a key that another process commits meanwhile, and
 * the sort keeps two batches from locking each other. Actions are read here, not from a cache, so that an action
 * made a moment ago is not missed.
 *
 * The bodies travel as one parameter that is cut up in the statement: inside an array they would have to be hexadecimal
 * text, escaped, twice the size. Only duplicates are answered, since there are mostly none.
 *
 * @returns one entry a delivery, in their order
 */
export async function storeDeliveries(
  db: SqlStatements,
  deliveries: readonly NewDelivery[],
): Promise<readonly StoredDelivery[]> {
  const batch: readonly Row[] = deliveries.some(({ events }) => events !== undefined)
    ? deliveries.flatMap(spread)
    : deliveries;
  const texts = (read: (delivery: Row) => string | null) => toArrayText(batch.map(read));
  const plain = (read: (delivery: Row) => string | number | null) => toPlainArrayText(batch.map(read));
  const duplicates = await db.$queryRaw<{ id: string; duplicateOf: string }[]>`
    with input as materialized (
      select *,
        substring(
          ${joinBodies(batch)}::bytea
          from (sum(body_size) over (order by position) - body_size + 1)::int for body_size
        ) as body
      from unnest(
        ${plain((d) => d.id)}::uuid[],
        ${plain((d) => d.accountId)}::uuid[],
        ${plain((d) => d.hookId)}::uuid[],
        ${plain((d) => d.status)}::text[],
        ${texts((d) => d.reason)}::text[],
        ${texts((d) => d.detail)}::text[],
        ${plain((d) => d.receivedAtMs)}::bigint[],
        ${texts((d) => d.method)}::text[],
        ${texts((d) => d.path)}::text[],
        ${texts((d) => d.query)}::text[],
        ${texts((d) => d.headersJson)}::text[],
        ${texts((d) => d.contentType)}::text[],
        ${plain((d) => d.body.byteLength)}::int[],
        ${texts((d) => d.eventId)}::text[],
        ${texts((d) => d.eventType)}::text[],
        ${texts((d) => (d.keyHash === null ? null : toHex(d.keyHash)))}::bytea[],
        ${plain((d) => d.verificationOutcome)}::text[],
        ${texts((d) => d.verificationScheme)}::text[],
        ${texts((d) => d.sourceIp)}::text[],
        ${plain((d) => d.batchId ?? null)}::uuid[]
      ) with ordinality as t(
        id, account_id, hook_id, status, reason, detail, received_at_ms, method, path, query, headers, content_type, body_size,
        event_id, event_type, key_hash, verification_outcome, verification_scheme, source_ip, batch_id, position
      )
    ), keyed as (
      insert into dedupe_keys as known (hook_id, key_hash, delivery_id)
      select distinct on (hook_id, key_hash) hook_id, key_hash, id
      from input where key_hash is not null
      order by hook_id, key_hash, position
      on conflict (hook_id, key_hash) do update set seen_count = known.seen_count + 1
      returning hook_id, key_hash, delivery_id
    ), judged as (
      select input.*,
        case
          when input.status <> 'accepted' then input.status
          when keyed.delivery_id <> input.id then 'duplicate'
          else 'accepted'
        end as outcome,
        case when keyed.delivery_id <> input.id then keyed.delivery_id end as duplicate_of
      from input
      left join keyed on keyed.hook_id = input.hook_id and keyed.key_hash = input.key_hash
    ), stored as (
      insert into deliveries (
        id, account_id, hook_id, status, reason, detail, received_at, method, path, query, headers, content_type, body_size,
        body, event_id, event_type, duplicate_of, verification_outcome, verification_scheme, source_ip, batch_id
      )
      select
        id, account_id, hook_id, outcome, reason, detail, to_timestamp(received_at_ms / 1000.0), method, path, query,
        headers::json, content_type, body_size, body, event_id, event_type, duplicate_of, verification_outcome,
        verification_scheme, source_ip, batch_id
      from judged
    ), enqueued as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, action_id, state, due_at)
      select
        uuid_v7_at(clock_timestamp()), judged.account_id, actions.id, judged.hook_id, judged.id, actions.id,
        'queued', now()
      from judged
      join actions on actions.hook_id = judged.hook_id and actions.enabled and actions.deleted_at is null
      where judged.outcome = 'accepted'
      order by judged.position, actions.position
    )
    select id, duplicate_of as "duplicateOf" from judged where duplicate_of is not null`;
  const originals = new Map(duplicates.map(({ id, duplicateOf }) => [id, duplicateOf]));
  const toStored = ({ id }: NewDelivery) => ({ id, duplicateOf: originals.get(id) ?? null });
  return deliveries.map((delivery) =>
    delivery.events === undefined
      ? toStored(delivery)
      : { ...toStored(delivery), events: delivery.events.map(toStored) },
  );
}

type Row = NewDelivery & { readonly batchId?: string };

function spread(delivery: NewDelivery): readonly Row[] {
  const { events = [] } = delivery;
  return [delivery, ...events.map((event) => ({ ...event, batchId: delivery.id }))];
}

function joinBodies(batch: readonly NewDelivery[]): Buffer<ArrayBuffer> {
  return Buffer.concat(batch.map(({ body }) => body));
}

/** The text form of one bytea inside an array. */
function toHex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}
