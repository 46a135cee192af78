/** Duplicates that say something else than the delivery that they repeat. */

import { firstId, lastId } from "#lib/core/api/page.ts";
import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { runSourcesOfDeliveries } from "#lib/db/runs/run-sources.ts";
import { differsFromFirst } from "./delivery-summary.ts";

export type DifferingDuplicate = {
  readonly id: string;
  readonly firstId: string;
  /** Of both bodies. */
  readonly bytes: number;
};

/**
 * Finds those among the newest duplicates of a hook, oldest first. The events of a batch follow the
 * rule of their provider, so they are left out.
 *
 * @param limit how many duplicates are compared
 */
export function listDifferingDuplicates(
  db: SqlStatements,
  { id: hookId, accountId }: { readonly id: string; readonly accountId: string },
  limit: number,
): Promise<readonly DifferingDuplicate[]> {
  return db.$queryRaw<DifferingDuplicate[]>`
    with newest as materialized (
      select id from deliveries
      where (hook_id, status, id) > (${hookId}::uuid, 'duplicate', ${firstId}::uuid)
        and (hook_id, status, id) < (${hookId}::uuid, 'duplicate', ${lastId}::uuid)
        and id > ${firstId}::uuid and id < ${lastId}::uuid and account_id = ${accountId}::uuid
      order by hook_id desc, status desc, id desc limit ${limit}::int
    )
    select compared.id, duplicate_of as "firstId", 2 * body_size as bytes from newest
    cross join lateral (
      select id, duplicate_of, body_size, batch_id, ${differsFromFirst} as differs from deliveries
      where id = newest.id limit 1
    ) compared
    where differs and batch_id is null
    order by compared.id`;
}

/** Those of the deliveries on which an action has run, such as by a replay. */
export async function findWithRuns(
  db: SqlStatements,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (deliveryIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    select distinct r.delivery_id as id from ${runSourcesOfDeliveries(deliveryIds)}
    where r.account_id = ${accountId}::uuid`;
  return new Set(rows.map(({ id }) => id));
}

export type EventKey = {
  readonly hookId: string;
  readonly deliveryId: string;
  readonly keyHash: Uint8Array;
  readonly receivedAtMs: number;
  readonly withinSeconds?: number | undefined;
};

/** Remembers stored deliveries under the keys of a new rule, so that none is stored as an event again. */
export async function rememberKeys(db: SqlStatements, keys: readonly EventKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db.$executeRaw`
    insert into dedupe_keys (key, delivery_id, within_seconds, created_at)
    select distinct on (key) key, delivery_id, within_seconds, to_timestamp(received_at_ms / 1000)
    from unnest(
      ${keys.map(({ hookId, keyHash }) => toDedupeKey(hookId, keyHash))}::uuid[],
      ${keys.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${keys.map(({ withinSeconds }) => withinSeconds ?? null)}::int[],
      ${keys.map(({ receivedAtMs }) => receivedAtMs)}::float8[]
    ) as given(key, delivery_id, within_seconds, received_at_ms)
    order by key, delivery_id
    on conflict (key) do nothing`;
}
