import { toArrayText, toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** An evaluated delivery that is ready to be stored. */
export type NewDelivery = {
  /** UUIDv7: decides the partition and the position in every list. */
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  /** `accepted` becomes `duplicate` if its key exists. Only accepted deliveries get runs. */
  readonly status: "accepted" | "rejected" | "pending" | "handshake" | "batch";
  /** The code of the reason it was rejected. */
  readonly reason: string | null;
  /** The same in words, as in the response to the provider. */
  readonly detail: string | null;
  readonly receivedAtMs: number;
  readonly method: string;
  /** The path after the hook's key, as sent. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** 32 bytes. Null: unique, never a duplicate. */
  readonly keyHash: Uint8Array | null;
  /** How long the key identifies the same event. Omitted: as long as it is stored. */
  readonly withinSeconds?: number | undefined;
  /**
   * 32 bytes, a hash of what was signed: the same bytes under another id are a duplicate too. Null:
   * not checked.
   */
  readonly replayHash: Uint8Array | null;
  readonly verificationOutcome: "verified" | "failed" | "not_configured" | "pending";
  readonly verificationScheme: string | null;
  readonly sourceIp: string;
  /** Created by Catchment itself. */
  readonly isSample: boolean;
  /** The events of a `batch`, stored with it or not at all. */
  readonly events?: readonly NewDelivery[];
};

export type StoredDelivery = {
  readonly id: string;
  /** The delivery that carried this event first. Null: not a duplicate. */
  readonly duplicateOf: string | null;
  /** The events of a `batch`. */
  readonly events?: readonly StoredDelivery[];
};

/**
 * Writes a batch in one statement: dedupe keys, deliveries, and a queued run for each enabled
 * action commit together or not at all. The unique key on (hook, hash) decides what is a duplicate,
 * within the batch and across processes. `do update` makes the statement see a key that another
 * process commits meanwhile, and the sort keeps two batches from locking each other. The signed
 * content has its own key, which is decided first: a replay must not claim the id that it came
 * under, or the event that really has this id would become its duplicate. Actions are read here,
 * not from a cache, so that a new action misses nothing.
 *
 * All bodies travel as one parameter that the statement cuts up: in an array they would have to be
 * escaped hexadecimal text of twice the size. Returns rows for duplicates only, since there are
 * usually none.
 *
 * @returns one entry per delivery, in order
 */
export async function storeDeliveries(
  db: SqlStatements,
  deliveries: readonly NewDelivery[],
): Promise<readonly StoredDelivery[]> {
  const batch: readonly Row[] = deliveries.some(({ events }) => events !== undefined)
    ? deliveries.flatMap(spread)
    : deliveries;
  const texts = (read: (delivery: Row) => string | null) => toArrayText(batch.map(read));
  const plain = (read: (delivery: Row) => string | number | null) =>
    toPlainArrayText(batch.map(read));
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
        ${texts((d) => (d.replayHash === null ? null : toHex(d.replayHash)))}::bytea[],
        ${plain((d) => d.withinSeconds ?? null)}::int[],
        ${plain((d) => d.verificationOutcome)}::text[],
        ${texts((d) => d.verificationScheme)}::text[],
        ${texts((d) => d.sourceIp)}::text[],
        ${plain((d) => d.batchId ?? null)}::uuid[],
        ${plain((d) => (d.isSample ? "t" : "f"))}::boolean[]
      ) with ordinality as t(
        id, account_id, hook_id, status, reason, detail, received_at_ms, method, path, query, headers, content_type, body_size,
        event_id, event_type, key_hash, replay_hash, within_seconds, verification_outcome, verification_scheme, source_ip,
        batch_id, is_sample, position
      )
    ), replayed as (
      insert into dedupe_keys as known (hook_id, key_hash, delivery_id)
      select distinct on (hook_id, replay_hash) hook_id, replay_hash, id
      from input where replay_hash is not null
      order by hook_id, replay_hash, position
      on conflict (hook_id, key_hash) do update set seen_count = known.seen_count + 1
      returning hook_id, key_hash, delivery_id
    ), keyed as (
      insert into dedupe_keys as known (hook_id, key_hash, delivery_id, within_seconds)
      select distinct on (input.hook_id, input.key_hash)
        input.hook_id, input.key_hash, input.id, input.within_seconds
      from input
      left join replayed on replayed.hook_id = input.hook_id and replayed.key_hash = input.replay_hash
      where input.key_hash is not null and (input.replay_hash is null or replayed.delivery_id = input.id)
      order by input.hook_id, input.key_hash, input.position
      on conflict (hook_id, key_hash) do update set (seen_count, delivery_id, created_at, within_seconds) = (
        select
          case when is_over then 1 else known.seen_count + 1 end,
          case when is_over then excluded.delivery_id else known.delivery_id end,
          case when is_over then excluded.created_at else known.created_at end,
          excluded.within_seconds
        from (
          select coalesce(known.created_at <= now() - make_interval(secs => excluded.within_seconds), false) as is_over
        ) as age
      )
      returning hook_id, key_hash, delivery_id
    ), evaluated as (
      select input.*,
        case
          when input.status <> 'accepted' then input.status
          when replayed.delivery_id <> input.id or keyed.delivery_id <> input.id then 'duplicate'
          else 'accepted'
        end as outcome,
        case
          when replayed.delivery_id <> input.id then replayed.delivery_id
          when keyed.delivery_id <> input.id then keyed.delivery_id
        end as duplicate_of
      from input
      left join replayed on replayed.hook_id = input.hook_id and replayed.key_hash = input.replay_hash
      left join keyed on keyed.hook_id = input.hook_id and keyed.key_hash = input.key_hash
    ), stored as (
      insert into deliveries (
        id, account_id, hook_id, status, reason, detail, received_at, method, path, query, headers, content_type, body_size,
        body, event_id, event_type, duplicate_of, verification_outcome, verification_scheme, source_ip, batch_id,
        is_sample, response_ms
      )
      select
        id, account_id, hook_id, outcome, reason, detail, to_timestamp(received_at_ms / 1000.0), method, path, query,
        headers::json, content_type, body_size, body, event_id, event_type, duplicate_of, verification_outcome,
        verification_scheme, source_ip, batch_id, is_sample,
        -- The clocks of the two machines are never compared: before the statement the catch process counts, within it the database.
        least(greatest(0, ${Date.now()}::bigint - received_at_ms), 2000000000)::int
          + (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::int
      from evaluated
    ), enqueued as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, action_id, state, due_at)
      select
        uuid_v7_at(clock_timestamp()), evaluated.account_id, actions.id, evaluated.hook_id, evaluated.id, actions.id,
        'queued', now()
      from evaluated
      join actions on actions.hook_id = evaluated.hook_id and actions.enabled and actions.deleted_at is null
      where evaluated.outcome = 'accepted'
      order by evaluated.position, actions.position
    )
    select id, duplicate_of as "duplicateOf" from evaluated where duplicate_of is not null`;
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
