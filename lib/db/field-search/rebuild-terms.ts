import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { maxSearchedBytes, type UnindexedDelivery } from "./index-fields.ts";

/** A row of the index that is made of a delivery, with others. */
export type IndexedRow = {
  readonly hookId: string;
  readonly id: string;
  readonly lastId: string;
};

/** The hooks of deliveries whose fields are indexed. */
export async function readIndexedHooks(
  db: SqlStatements,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<readonly { readonly id: string; readonly hookId: string }[]> {
  return await db.$queryRaw<{ id: string; hookId: string }[]>`
    select d.id, d.hook_id as "hookId" from deliveries d join field_search_cursors c on c.hook_id = d.hook_id
    where d.account_id = ${accountId}::uuid and d.id = any (${toUuidArray([...deliveryIds])}::uuid[])`;
}

/** Waits until no process indexes. The lock is that of `lockIndex`. */
export async function waitForIndex(tx: SqlStatements): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('index_fields'))`;
}

/** Finds the rows whose terms are also of these deliveries. */
export async function findIndexedRows(
  tx: SqlStatements,
  deliveries: readonly { readonly id: string; readonly hookId: string }[],
): Promise<readonly IndexedRow[]> {
  return await tx.$queryRaw<IndexedRow[]>`
    select distinct t.hook_id as "hookId", t.id, t.last_id as "lastId"
    from unnest(${toUuidArray(deliveries.map(({ id }) => id))}::uuid[],
      ${toUuidArray(deliveries.map(({ hookId }) => hookId))}::uuid[]) as d(id, hook_id)
    cross join lateral (
      select hook_id, id, last_id from delivery_terms
      where hook_id = d.hook_id and id <= d.id order by hook_id desc, id desc limit 1
    ) t
    where t.last_id >= d.id`;
}

/** The deliveries that a row is made of, as far as they are still there. */
export async function readIndexed(
  tx: SqlStatements,
  { hookId, id, lastId }: IndexedRow,
): Promise<readonly UnindexedDelivery[]> {
  return await tx.$queryRaw<UnindexedDelivery[]>`
    select d.id, content_type as "contentType", case when body_size <= ${maxSearchedBytes}::int then body end as body
    from unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
    cross join lateral (
      select * from deliveries
      where (hook_id, status, id) >= (${hookId}::uuid, of_status.name, ${id}::uuid)
        and (hook_id, status, id) <= (${hookId}::uuid, of_status.name, ${lastId}::uuid)
        and id >= ${id}::uuid and id <= ${lastId}::uuid
    ) d order by d.id`;
}

/** Replaces what a row has. One without deliveries is removed. */
export async function replaceTerms(
  tx: SqlStatements,
  { hookId, id }: IndexedRow,
  terms: ReadonlySet<number>,
  deliveries: number,
): Promise<void> {
  if (deliveries === 0)
    await tx.$executeRaw`delete from delivery_terms where hook_id = ${hookId}::uuid and id = ${id}::uuid`;
  else
    await tx.$executeRaw`
      update delivery_terms set terms = ${`{${[...terms].join(",")}}`}::text::int[], delivery_count = ${deliveries}::int
      where hook_id = ${hookId}::uuid and id = ${id}::uuid`;
}
