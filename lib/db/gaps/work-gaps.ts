/** What a worker does for a search: a lease, the pages of the provider, and its end. */

import { newId } from "#lib/base/ids.ts";
import { toArrayText, toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

/** A search that this process has leased. */
export type LeasedGap = {
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly provider: string;
  /** The path of the webhook in the provider's API. Null: it lists events. */
  readonly webhook: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly cursor: string | null;
  readonly isSecondLook: boolean;
  readonly eventCount: number;
  readonly storedBytes: number;
  readonly tryCount: number;
  readonly leaseId: string;
  /** Null: it was deleted. */
  readonly credential: {
    readonly id: string;
    readonly name: string;
    readonly origin: string;
    readonly version: number;
    /** Base64. */
    readonly ciphertext: string;
  } | null;
};

/**
 * Longer than a page takes. If its process is killed, another one asks for the same page after this
 * time. No transaction is open while the provider is asked.
 */
const leaseSeconds = 60;

/** Leases a search that no worker has. Null: there is none. */
export async function leaseGap(db: SqlDatabase): Promise<LeasedGap | null> {
  const leaseId = newId();
  const [row] = await db.$queryRaw<Omit<LeasedGap, "leaseId">[]>`
    update gaps g set lease_id = ${leaseId}::uuid, leased_until = now() + ${leaseSeconds}::int * interval '1 second'
    where g.id = (
      select id from gaps
      where finished_at is null and coalesce(next_at <= now(), true) and coalesce(leased_until < now(), true)
      order by random() limit 1 for update skip locked
    )
    returning g.id, g.account_id as "accountId", g.hook_id as "hookId", g.provider, g.webhook, g.cursor, g.is_second_look as "isSecondLook",
      (extract(epoch from g.from_at) * 1000)::float8 as "fromMs", (extract(epoch from g.to_at) * 1000)::float8 as "toMs",
      g.event_count as "eventCount", g.stored_bytes::float8 as "storedBytes", g.try_count as "tryCount",
      (select json_build_object('id', c.id, 'name', c.name, 'origin', c.origin, 'version', c.version,
          'ciphertext', encode(c.ciphertext, 'base64'))
        from credentials c where c.id = g.credential_id and c.account_id = g.account_id) as credential`;
  return row === undefined ? null : { ...row, leaseId };
}

/** An event that the provider listed, with the key by which the hook knows it. */
export type ComparedEvent = {
  readonly key: string;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly occurredAtMs: number;
  /** JSON. */
  readonly body: string;
};

export type PageEnd = {
  readonly cursor: string | null;
  readonly isSecondLook: boolean;
  /** True: there is nothing else to ask. */
  readonly isAtEnd: boolean;
  readonly restMs: number;
};

/**
 * Stores a page with where the next one begins, in one transaction. Nothing is stored if another
 * process has the search by now, or it was canceled. An event that was seen before is not counted
 * again.
 */
export async function storePage(
  db: SqlDatabase,
  gap: LeasedGap,
  events: readonly ComparedEvent[],
  { cursor, isSecondLook, isAtEnd, restMs }: PageEnd,
): Promise<void> {
  await db.$transaction(async (tx) => {
    if (!(await holdsLease(tx, gap))) return;
    const added = await addEvents(tx, gap.id, events);
    await tx.$executeRaw`
      update gaps set cursor = ${cursor}::text, is_second_look = ${isSecondLook}::boolean, lease_id = null, leased_until = null,
        event_count = event_count + ${added.count}::int, missing_count = missing_count + ${added.missing}::int,
        stored_bytes = stored_bytes + ${added.bytes}::bigint, try_count = 0, reason = null,
        next_at = case when ${restMs}::float8 > 0 then now() + ${restMs}::float8 * interval '1 ms' end,
        status = case when ${isAtEnd} then 'found' else status end, finished_at = case when ${isAtEnd} then now() end
      where id = ${gap.id}::uuid`;
  });
}

type Added = { readonly count: number; readonly missing: number; readonly bytes: number };

/** The first of two with one key counts. An event of which a delivery is stored keeps no body. */
async function addEvents(
  tx: SqlStatements,
  gapId: string,
  events: readonly ComparedEvent[],
): Promise<Added> {
  const [added] = await tx.$queryRaw<Added[]>`
    with added as (
      insert into gap_events (gap_id, key, state, event_id, event_type, occurred_at, body)
      select distinct on (listed.key) ${gapId}::uuid, listed.key, case when known.key is null then 'missing' else 'known' end,
        listed.event_id, listed.event_type, to_timestamp(listed.occurred_at_ms / 1000), case when known.key is null then convert_to(listed.body, 'UTF8') end
      from unnest(
        ${toUuidArray(events.map(({ key }) => key))}::uuid[], ${toArrayText(events.map(({ eventId }) => eventId))}::text[],
        ${toArrayText(events.map(({ eventType }) => eventType))}::text[],
        ${toPlainArrayText(events.map(({ occurredAtMs }) => occurredAtMs))}::float8[],
        ${toArrayText(events.map(({ body }) => body))}::text[]
      ) as listed(key, event_id, event_type, occurred_at_ms, body)
      left join dedupe_keys known on known.key = listed.key
      order by listed.key
      on conflict (gap_id, key) do nothing
      returning state, coalesce(octet_length(body), 0) as bytes
    )
    select count(*)::int as count, (count(*) filter (where state = 'missing'))::int as missing, coalesce(sum(bytes), 0)::float8 as bytes
    from added`;
  return added ?? { count: 0, missing: 0, bytes: 0 };
}

/** Stores that a search waits, and why. */
export async function postponeGap(
  db: SqlDatabase,
  gap: LeasedGap,
  { reason, waitMs }: { readonly reason: string; readonly waitMs: number },
): Promise<void> {
  await db.$executeRaw`
    update gaps set reason = ${reason}::text, try_count = try_count + 1, lease_id = null, leased_until = null,
      next_at = now() + ${waitMs}::float8 * interval '1 ms'
    where id = ${gap.id}::uuid and lease_id = ${gap.leaseId}::uuid and finished_at is null`;
}

/** Ends a search that can't continue. What it has found stays. */
export async function failGap(db: SqlDatabase, gap: LeasedGap, reason: string): Promise<void> {
  await db.$executeRaw`
    update gaps set status = 'failed', reason = ${reason}::text, finished_at = now(), lease_id = null, leased_until = null
    where id = ${gap.id}::uuid and lease_id = ${gap.leaseId}::uuid and finished_at is null`;
}

async function holdsLease(tx: SqlStatements, gap: LeasedGap): Promise<boolean> {
  const held = await tx.$queryRaw<unknown[]>`
    select 1 from gaps where id = ${gap.id}::uuid and lease_id = ${gap.leaseId}::uuid and finished_at is null for update`;
  return held.length > 0;
}
