import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

type Spooled = Pick<NewDelivery, "id" | "hookId" | "keyHash">;

/**
 * Finds those of some deliveries that were stored before: their first statement was only late, or a
 * file was read again after a crash. Retention may have removed one meanwhile, but not its key.
 */
export async function findStoredIds(
  db: SqlStatements,
  deliveries: readonly Spooled[],
): Promise<ReadonlySet<string>> {
  const ids = toUuidArray(deliveries.map(({ id }) => id));
  const keys = deliveries.flatMap(({ hookId, keyHash }) =>
    keyHash === null ? [] : [toDedupeKey(hookId, keyHash)],
  );
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where id = any (${ids}::uuid[])
    union
    select delivery_id from dedupe_keys where key = any (${toUuidArray(keys)}::uuid[]) and delivery_id = any (${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

type Response = { readonly id: string; readonly ms: number };

/**
 * Deliveries from the spool had their response long before they were stored. Their hours may have been
 * counted without them, so those are counted again, a minute after the last of them.
 */
export async function recordResponseTimes(
  db: SqlStatements,
  responses: readonly Response[],
): Promise<void> {
  await db.$executeRaw`
    with given as materialized (
      select * from unnest(
        ${toUuidArray(responses.map(({ id }) => id))}::uuid[],
        ${responses.map(({ ms }) => Math.min(ms, maxResponseMs))}::int[]
      ) as t(id, ms)
    ), counted as (
      select hour from statistics_hours
      where hour in (select distinct to_timestamp(uuid_v7_ms(id) / 3600000 * 3600) from given)
        and (recount_at is null or recount_at < now() + interval '1 minute')
      order by hour for no key update
    ), recounted as (
      update statistics_hours known set recount_at = now() + interval '1 minute'
      from counted where known.hour = counted.hour
    )
    update deliveries set response_ms = given.ms from given where deliveries.id = given.id`;
}

/** The limit of the statement that stores them. The clock may have been set in between. */
const maxResponseMs = 2_000_000_000;
