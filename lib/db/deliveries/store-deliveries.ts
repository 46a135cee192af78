import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import { readAgeMs } from "#lib/core/verify/dedupe/event-windows.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { hearAccepted } from "#lib/db/listeners/hear-accepted.ts";
import { toArrayText, toPlainArrayText, toSparseArrayText } from "#lib/db/postgres/array-text.ts";
import { PackedValues } from "#lib/db/postgres/packed-values.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { type Captured, capture, withEnd } from "#lib/db/postgres/sql-query.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import {
  type LeasedRun,
  noLease,
  readLeasedRuns,
  type StoredRow,
  type StoreLease,
} from "#lib/db/queue/lease-runs.ts";
import {
  type PublishedDelivery,
  type PublishingRow,
  publishDeliveries,
} from "./published-deliveries.ts";

/** An evaluated delivery that is ready to be stored. */
export type NewDelivery = {
  /** UUIDv7: decides the partition and the position in every list. */
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  /** `accepted` becomes `duplicate` if its key exists. Only accepted deliveries get runs. */
  readonly status: "accepted" | "rejected" | "pending" | "handshake" | "batch";
  /** The code of the reason it was rejected, or not published although its hook publishes. */
  readonly reason: string | null;
  /** The reason as text. For a rejected delivery, the same as in the response to the provider. */
  readonly detail: string | null;
  readonly receivedAtMs: number;
  readonly method: string;
  /** The path after the hook's key, as sent. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
  /** The size of the body as sent, if only its beginning is stored. */
  readonly sentBodyBytes?: number;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** The key's 32 bytes. Null: unique, never a duplicate. */
  readonly keyHash: Uint8Array | null;
  /** The time for which the key identifies the same event. Omitted: as long as it is stored. */
  readonly withinSeconds?: number | undefined;
  /**
   * A hash of the signed content, 32 bytes: the same bytes under another id are a duplicate too.
   * Null: not checked.
   */
  readonly replayHash: Uint8Array | null;
  readonly verificationOutcome: "verified" | "failed" | "not_configured" | "pending";
  readonly verificationScheme: string | null;
  readonly sourceIp: string;
  /** True if Catchment created it. */
  readonly isSample: boolean;
  /** The event that it becomes if it is accepted. Omitted: its hook doesn't publish. */
  readonly published?: PublishedDelivery | undefined;
  /** The events of a `batch`, stored together with it or not at all. */
  readonly events?: readonly NewDelivery[];
};

export type StoredDelivery = {
  readonly id: string;
  /** The delivery that carried this event first. Null: not a duplicate. */
  readonly duplicateOf: string | null;
  /** The events of a `batch`. */
  readonly events?: readonly StoredDelivery[];
  /** It waits in the spool, so it isn't known yet whether it is a duplicate. Omitted: it is stored. */
  readonly isSpooled?: boolean;
};

type StoredBatch = {
  /** One entry per delivery, in order. */
  readonly stored: readonly StoredDelivery[];
  /** The runs that were leased. */
  readonly leased: readonly LeasedRun<NewDelivery>[];
  /** True if runs were queued that no worker has. */
  readonly hasDue: boolean;
};

/** Stores a batch without leasing its runs. Returns one entry per delivery, in order. */
export async function storeDeliveries(
  db: SqlStatements,
  deliveries: readonly NewDelivery[],
  maxSends: number | null = null,
): Promise<readonly StoredDelivery[]> {
  return (await storeBatch(db, deliveries, { maxSends, lease: null })).stored;
}

/**
 * Writes a batch in one statement: dedupe keys, deliveries, and a queued run for each enabled
 * action commit together or not at all. The unique key decides what is a duplicate, within the
 * batch and across processes. `do update` makes the statement see a key that another process
 * commits meanwhile, and the sort keeps two batches from locking each other. The signed content has
 * its own key, which is decided first: a replay must not claim the id that it came under, or the
 * event that really has this id would become its duplicate. A window counts from when deliveries
 * were received: see `splitRepeats` for those that waited. Actions are read here, not from a
 * cache, so that a new action misses nothing.
 *
 * With a lease, runs of its deliveries are written as a claim would have left them, for actions
 * that have no limits, order, or breaker of their own, aren't held, and whose hook is active
 * (docs/decisions/runs/093).
 *
 * Returns rows for duplicates only, of which there are few, and for the actions if there is a lease.
 *
 * @param maxSends the maximum number of sends of their events: if there are more, nothing is
 *   stored, and it throws an error that `isTooManySends` recognizes
 */
export async function storeBatch(
  db: SqlStatements,
  deliveries: readonly NewDelivery[],
  {
    maxSends,
    lease,
  }: { readonly maxSends: number | null; readonly lease: StoreLease<NewDelivery> | null },
): Promise<StoredBatch> {
  const { workerId, leaseId, leaseMs, targetIds, isLeased } = lease ?? noLease;
  const batch: readonly Row[] = deliveries.some(({ events }) => events !== undefined)
    ? deliveries.flatMap(spread)
    : deliveries;
  const uuids = (read: (delivery: Row) => string | null) => toUuidArray(batch.map(read));
  const texts = (read: (delivery: Row) => string | null) => toArrayText(batch.map(read));
  const plain = (read: (delivery: Row) => string | number | null) =>
    toPlainArrayText(batch.map(read));
  const rare = (read: (delivery: Row) => string | number | null) =>
    toSparseArrayText(batch.map(read));
  const packed = new PackedValues();
  const nowMs = Date.now();
  const headers = batch.map((delivery) => packed.add(delivery.headersJson));
  const bodies = batch.map((delivery) => packed.add(delivery.body));
  const storing = capture`
    with batch as materialized (
      select
        ${uuids((d) => d.id)}::uuid[] as ids,
        ${uuids((d) => d.accountId)}::uuid[] as account_ids,
        ${uuids((d) => d.hookId)}::uuid[] as hook_ids,
        ${plain((d) => d.status)}::text[] as statuses,
        ${toPlainArrayText(bodies.map(({ size }) => size))}::int[] as body_sizes,
        ${packed.toBytes()}::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(
        ids, account_ids, hook_ids, statuses, body_sizes,
        ${uuids((d) => (d.keyHash === null ? null : toDedupeKey(d.hookId, d.keyHash)))}::uuid[],
        ${rare((d) => (d.replayHash === null ? null : toDedupeKey(d.hookId, d.replayHash)))}::uuid[],
        ${rare((d) => d.withinSeconds ?? null)}::int[],
        ${rare((d) => readAgeMs(d, nowMs))}::int[],
        ${rare((d) => (isLeased(d) ? "t" : null))}::boolean[]
      ) with ordinality as t(id, account_id, hook_id, status, body_size, key, replay_key, within_seconds, age_ms, is_leased, position)
    ), replayed as (
      insert into dedupe_keys as known (key, delivery_id)
      select distinct on (replay_key) replay_key, id
      from input where replay_key is not null
      order by replay_key, position
      on conflict (key) do update set seen_count = known.seen_count + 1
      returning key, delivery_id
    ), keyed as (
      insert into dedupe_keys as known (key, delivery_id, within_seconds, created_at)
      select distinct on (input.key) input.key, input.id, input.within_seconds, now() - coalesce(age_ms, 0) * interval '1 millisecond'
      from input
      left join replayed on replayed.key = input.replay_key
      where input.key is not null and (input.replay_key is null or replayed.delivery_id = input.id)
      order by input.key, input.position
      on conflict (key) do update set (seen_count, delivery_id, created_at, within_seconds) = (
        select
          case when is_over then 1 else known.seen_count + 1 end,
          case when is_over then excluded.delivery_id else known.delivery_id end,
          case when is_over then greatest(excluded.created_at, known.created_at) else known.created_at end,
          excluded.within_seconds
        from (
          select coalesce(greatest(excluded.created_at - known.created_at, known.created_at - excluded.created_at)
            >= make_interval(secs => excluded.within_seconds), false) as is_over
        ) as age
      )
      returning key, delivery_id
    ), evaluated as (
      select input.position, input.id, input.account_id, input.hook_id, input.body_size, input.is_leased,
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
      left join replayed on replayed.key = input.replay_key
      left join keyed on keyed.key = input.key
    ), stored as (
      insert into deliveries (
        id, account_id, hook_id, status, reason, detail, received_at, method, path, query, headers, content_type, body_size,
        body, event_id, event_type, duplicate_of, verification_outcome, verification_scheme, source_ip, batch_id,
        is_sample, response_ms
      )
      select
        id, account_id, hook_id, case when duplicate_of is null then status else 'duplicate' end,
        case when duplicate_of is null then reason end, case when duplicate_of is null then detail end, to_timestamp(received_at_ms / 1000), method, path, query,
        convert_from(substring(bytes from headers_at for headers_size), 'UTF8')::json, content_type, coalesce(sent_body_size, body_size),
        substring(bytes from body_at for body_size), event_id, event_type, duplicate_of, verification_outcome,
        verification_scheme, source_ip, batch_id, coalesce(is_sample, false),
        -- The clocks of the two machines are never compared: before the statement the catch process counts, within it the database.
        least(greatest(0, ${nowMs}::float8 - received_at_ms), 2000000000)::int
          + (date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000)::int
      from batch cross join unnest(
        ids, account_ids, hook_ids, statuses, body_sizes,
        ${rare((d) => d.reason)}::text[],
        ${rare((d) => d.detail)}::text[],
        ${plain((d) => d.receivedAtMs)}::float8[],
        ${texts((d) => d.method)}::text[],
        ${texts((d) => d.path)}::text[],
        ${texts((d) => d.query)}::text[],
        ${toPlainArrayText(headers.map(({ start }) => start))}::int[],
        ${toPlainArrayText(headers.map(({ size }) => size))}::int[],
        ${texts((d) => d.contentType)}::text[],
        ${toPlainArrayText(bodies.map(({ start }) => start))}::int[],
        ${texts((d) => d.eventId)}::text[],
        ${texts((d) => d.eventType)}::text[],
        ${plain((d) => d.verificationOutcome)}::text[],
        ${texts((d) => d.verificationScheme)}::text[],
        ${texts((d) => d.sourceIp)}::text[],
        ${rare((d) => d.batchId ?? null)}::uuid[],
        ${rare((d) => (d.isSample ? "t" : null))}::boolean[],
        ${rare((d) => d.sentBodyBytes ?? null)}::int[]
      ) with ordinality as t(
        id, account_id, hook_id, status, body_size, reason, detail, received_at_ms, method, path, query, headers_at,
        headers_size, content_type, body_at, event_id, event_type, verification_outcome, verification_scheme, source_ip,
        batch_id, is_sample, sent_body_size, position
      )
      left join (select position, duplicate_of from evaluated where duplicate_of is not null) repeated using (position)
    ), targets as materialized (
      select a.id, a.hook_id, (row_number() over (partition by a.hook_id order by a.position, a.id))::int - 1 as ordinal,
        case when a.order_by is not null then (-9223372036854775808)::bigint end as order_key,
        case when a.id = any (${[...targetIds]}::uuid[]) and a.held_since is null and h.status = 'active' and h.deleted_at is null
          and coalesce(a.max_concurrency, a.rate_count, a.breaker_failures) is null and a.order_by is null and a.destination_ids = '{}'
          then a.xmin::text || '.' || h.xmin::text end as version,
        ${lease !== null}::boolean as has_lease
      from actions a left join hooks h on h.id = a.hook_id
      where a.hook_id = any (array(select distinct hook_id from input where status = 'accepted')) and a.enabled and a.deleted_at is null
    ), enqueued as (
      insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, body_size, order_key, worker_id, lease_id, leased_until)
      select run_id(evaluated.id, targets.ordinal), account_id, targets.id, hook_id, evaluated.id, now(), body_size, order_key,
        case when is_leased and version is not null then ${workerId}::int end,
        case when is_leased and version is not null then ${leaseId}::uuid end,
        case when is_leased and version is not null then now() + ${leaseMs}::int * interval '1 millisecond' end
      from evaluated join targets using (hook_id)
      where evaluated.outcome = 'accepted'
    )`;
  const publishing = batch.flatMap(toPublishing);
  const rows = await run(db, storing, { rows: publishing, maxSends });
  const originals = new Map(
    rows.flatMap((row) => (row.duplicateOf === null ? [] : [[row.id, row.duplicateOf]])),
  );
  const toStored = ({ id }: NewDelivery) => ({ id, duplicateOf: originals.get(id) ?? null });
  const stored = deliveries.map((delivery) =>
    delivery.events === undefined
      ? toStored(delivery)
      : { ...toStored(delivery), events: delivery.events.map(toStored) },
  );
  const accepted = batch.filter(({ id, status }) => status === "accepted" && !originals.has(id));
  if (lease === null) return { stored, leased: [], hasDue: accepted.length > 0 };
  const { leased, hasDue } = readLeasedRuns(accepted, rows, lease);
  return { stored, leased, hasDue: hasDue || publishing.length > 0 };
}

const selectRows = `${hearAccepted}
    select id, duplicate_of as "duplicateOf", null::uuid as "hookId", null::int as ordinal, null::text as version
    from evaluated where duplicate_of is not null
    union all
    select id, null, hook_id, ordinal, version from targets where has_lease`;

type Publishing = { readonly rows: readonly PublishingRow[]; readonly maxSends: number | null };

/** Runs the statement. Without events to publish, its text is always the same. */
function run(
  db: SqlStatements,
  { strings, values }: Captured,
  { rows, maxSends }: Publishing,
): Promise<StoredRow[]> {
  if (rows.length === 0) return db.$queryRaw<StoredRow[]>(withEnd(strings, selectRows), ...values);
  return db.$queryRaw<StoredRow[]>`
    ${new Prisma.Sql(strings, values)}, ${publishDeliveries(rows, maxSends)} ${Prisma.raw(selectRows)}`;
}

function toPublishing({ id, accountId, published }: Row): readonly PublishingRow[] {
  return published === undefined ? [] : [{ id, accountId, published }];
}

type Row = NewDelivery & { readonly batchId?: string };

function spread(delivery: NewDelivery): readonly Row[] {
  const { events = [] } = delivery;
  return [delivery, ...events.map((event) => ({ ...event, batchId: delivery.id }))];
}
