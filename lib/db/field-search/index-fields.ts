import { firstId, idFloor, idTime } from "#lib/core/api/page.ts";
import { toArrayText, toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";

/** A hook with deliveries that aren't indexed. */
export type UnindexedHook = {
  readonly hookId: string;
  /** Smaller ids are indexed. */
  readonly coveredUntil: string;
  /** The index of smaller ids was checked. Null: the hook is new to the index. */
  readonly checkedUntil: string | null;
  /** Ids from here on may still be stored. */
  readonly horizon: string;
  readonly nowMs: number;
};

/**
 * Deliveries are stored seconds after they got their ids, and by machines whose clocks differ. Later
 * ones are found when their week is checked.
 */
const settleMs = 60_000;
/** The pause between two looks at a hook without a backlog. */
const restMs = 10_000;

/** Only one process indexes or removes terms at a time. @returns false: another one does */
export async function lockIndex(tx: SqlStatements): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext('index_fields')) as "isOurs"`;
  return row?.isOurs === true;
}

/** Finds the hook that waits longest. Null: none is due. */
export async function findUnindexedHook(tx: SqlStatements): Promise<UnindexedHook | null> {
  const nowMs = Date.now();
  const due = idFloor(nowMs - settleMs - restMs);
  const [hook] = await tx.$queryRaw<Omit<UnindexedHook, "horizon" | "nowMs">[]>`
    select h.id as "hookId", coalesce(c.covered_until, ${firstId}::uuid) as "coveredUntil", c.checked_until as "checkedUntil"
    from hooks h left join field_search_cursors c on c.hook_id = h.id
    where h.field_search and h.deleted_at is null and (c.hook_id is null or c.covered_until < ${due}::uuid)
    order by c.worked_at nulls first limit 1`;
  return hook === undefined ? null : { ...hook, horizon: idFloor(nowMs - settleMs), nowMs };
}

/** A delivery with what its terms are read from. */
export type UnindexedDelivery = {
  readonly id: string;
  readonly contentType: string | null;
  /** Null: it is too large to be searched. */
  readonly body: Uint8Array | null;
};

/** The largest body, in bytes, that a search for a field reads. */
export const maxSearchedBytes = 65_536;
/** The rows read at a time. More would keep the thread busy for too long. */
const batch = { deliveries: 256, bytes: 1024 * 1024 } as const;

/** The next deliveries of a hook, oldest first. `isAll`: there are no others until the horizon. */
export async function readUnindexed(
  tx: SqlStatements,
  { hookId, coveredUntil, horizon }: UnindexedHook,
): Promise<{ readonly deliveries: readonly UnindexedDelivery[]; readonly isAll: boolean }> {
  await tx.$executeRaw`set local plan_cache_mode = force_custom_plan`;
  const rows = await tx.$queryRaw<(UnindexedDelivery & { found: number })[]>`
    select id, content_type as "contentType", body, found from (
      select next.id, content_type, case when body_size <= ${maxSearchedBytes}::int then body end as body,
        sum(least(body_size, ${maxSearchedBytes}::int)) over (order by next.id) as bytes, row_number() over (order by next.id) as position,
        count(*) over ()::int as found
      from (
        select oldest.id from unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
        cross join lateral (
          select id from deliveries
          where (hook_id, status, id) >= (${hookId}::uuid, of_status.name, ${coveredUntil}::uuid)
            and (hook_id, status, id) < (${hookId}::uuid, of_status.name, ${horizon}::uuid)
            and id >= ${weekOf(coveredUntil)}::uuid and id < ${horizon}::uuid
          order by hook_id, status, id limit ${batch.deliveries}::int
        ) oldest order by oldest.id limit ${batch.deliveries}::int
      ) next
      cross join lateral (select content_type, body_size, body from deliveries where id = next.id limit 1) delivery
    ) sized
    where bytes <= ${batch.bytes}::int or position = 1 order by id`;
  const found = rows[0]?.found ?? 0;
  return {
    deliveries: rows.map(({ found: _, ...delivery }) => delivery),
    isAll: rows.length === found && found < batch.deliveries,
  };
}

/** Terms of deliveries that follow one another in a week. */
export type TermRow = {
  readonly firstId: string;
  readonly lastId: string;
  readonly deliveries: number;
  readonly terms: ReadonlySet<number>;
};

/**
 * Stores terms, and how far the hook is indexed. New hooks have no weeks to check: those that are
 * over are indexed only now.
 */
export async function saveTerms(
  tx: SqlStatements,
  { hookId, nowMs }: UnindexedHook,
  rows: readonly TermRow[],
  coveredUntil: string,
): Promise<void> {
  if (rows.length > 0)
    await tx.$executeRaw`
      insert into delivery_terms (id, hook_id, last_id, delivery_count, terms)
      select first_id, ${hookId}::uuid, last_id, deliveries, terms::int[] from unnest(
        ${toUuidArray(rows.map((row) => row.firstId))}::uuid[], ${toUuidArray(rows.map((row) => row.lastId))}::uuid[],
        ${toPlainArrayText(rows.map((row) => row.deliveries))}::int[], ${toArrayText(rows.map((row) => `{${[...row.terms].join(",")}}`))}::text[]
      ) as row(first_id, last_id, deliveries, terms)`;
  await tx.$executeRaw`
    insert into field_search_cursors (hook_id, covered_until, checked_until, worked_at)
    values (${hookId}::uuid, ${coveredUntil}::uuid, ${weekOf(idFloor(nowMs))}::uuid, now())
    on conflict (hook_id) do update set covered_until = excluded.covered_until, worked_at = excluded.worked_at`;
}

/** The time after which a week is checked. */
const closingMs = 3_600_000;
/** The number of rows, of 32 deliveries each, that are checked at a time. */
const checkedRows = 1_000;

/**
 * Checks a part of the weeks that are over. If other numbers of deliveries are stored in it than are
 * indexed, some may have come late, and it is indexed again, with all that follows.
 *
 * @returns true if a part was checked
 */
export async function checkClosedWeeks(
  tx: SqlStatements,
  { hookId, coveredUntil, checkedUntil, nowMs }: UnindexedHook,
): Promise<boolean> {
  const closed = weekOf(idFloor(nowMs - closingMs));
  if (checkedUntil === null || checkedUntil >= closed || coveredUntil < closed) return false;
  const rows = await tx.$queryRaw<{ id: string; deliveries: number }[]>`
    select id, delivery_count as deliveries from delivery_terms
    where hook_id = ${hookId}::uuid and id >= ${checkedUntil}::uuid and id < ${closed}::uuid
    order by hook_id, id limit ${checkedRows + 1}::int`;
  const end = rows[checkedRows]?.id ?? closed;
  const part = rows.slice(0, checkedRows);
  // From each row to the next one, and before the first: one that was deleted doesn't hide another one.
  const stored = await tx.$queryRaw<{ row: number; count: number }[]>`
    select of_status.row, sum(of_status.count)::int as count from unnest(${[...deliveryStatuses]}::text[]) as wanted(status)
    cross join lateral (
      select width_bucket(id, ${toUuidArray(part.map(({ id }) => id))}::uuid[]) as row, count(*) from deliveries
      where (hook_id, status, id) >= (${hookId}::uuid, wanted.status, ${checkedUntil}::uuid)
        and (hook_id, status, id) < (${hookId}::uuid, wanted.status, ${end}::uuid)
        and id >= ${weekOf(checkedUntil)}::uuid and id < ${closed}::uuid
      group by 1
    ) of_status group by 1`;
  const counts = new Map(stored.map(({ row, count }) => [row, count]));
  const isMissing = [0, ...part.map(({ deliveries }) => deliveries)].some(
    (indexed, row) => (counts.get(row) ?? 0) !== indexed,
  );
  if (isMissing)
    await tx.$executeRaw`delete from delivery_terms where hook_id = ${hookId}::uuid and id >= ${checkedUntil}::uuid`;
  // Indexing again includes late deliveries, so that range isn't checked again.
  await tx.$executeRaw`
    update field_search_cursors set worked_at = now(), checked_until = case when ${isMissing} then ${closed} else ${end} end::uuid,
      covered_until = case when ${isMissing} then ${checkedUntil}::uuid else covered_until end
    where hook_id = ${hookId}::uuid`;
  return true;
}

/** The number of rows that are removed at a time, of 32 deliveries each. */
const forgottenRows = 1_000;

/**
 * Removes terms of a hook whose fields aren't to be searched anymore, the newest first: if the search is
 * turned on again meanwhile, what is older is still indexed.
 *
 * @returns false: there are none
 */
export async function forgetTerms(tx: SqlStatements): Promise<boolean> {
  const [hook] = await tx.$queryRaw<{ hookId: string }[]>`
    select c.hook_id as "hookId" from field_search_cursors c join hooks h on h.id = c.hook_id
    where not h.field_search and h.deleted_at is null limit 1`;
  if (hook === undefined) return false;
  const { hookId } = hook;
  const removed = await tx.$queryRaw<{ id: string }[]>`
    delete from delivery_terms where id = any (array(
      select id from delivery_terms where hook_id = ${hookId}::uuid order by hook_id desc, id desc limit ${forgottenRows}::int
    )) returning id`;
  const [oldest] = removed.map(({ id }) => id).sort();
  if (oldest === undefined || removed.length < forgottenRows)
    await tx.$executeRaw`delete from field_search_cursors where hook_id = ${hookId}::uuid`;
  else
    await tx.$executeRaw`update field_search_cursors set covered_until = ${oldest}::uuid where hook_id = ${hookId}::uuid`;
  return true;
}

/** Removes a batch of a hook's terms. @returns the number of rows */
export async function removeTerms(
  db: SqlStatements,
  hookId: string,
  batchRows: number,
): Promise<number> {
  return await db.$executeRaw`
    delete from delivery_terms where id = any (array(
      select id from delivery_terms where hook_id = ${hookId}::uuid order by hook_id, id limit ${batchRows}::int
    ))`;
}

/** The first id of the week of an id. */
export function weekOf(id: string): string {
  return idFloor(startOfWeek(idTime(id)));
}

/** The id after an id. */
export function idAfter(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Counts the statements that the database works on now for other connections of Catchment. */
export async function countActiveStatements(db: SqlStatements): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()`;
  return row?.count ?? 0;
}
