import { firstId, idFloor, laterId } from "#lib/core/api/page.ts";
import { forgetLast } from "#lib/db/deliveries/delete-delivery.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { isKept } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { listPartitions, partitionName } from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { keptUsage } from "#lib/db/usage/keep-usage.ts";
import { deliveryUsage, runUsage } from "#lib/db/usage/select-usage.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";

/** A hook that keeps less than the installation. */
type RetainedHook = {
  readonly hookId: string;
  /** Null: any age. */
  readonly days: number | null;
  /** Null: any number. */
  readonly count: number | null;
};

export async function listRetainedHooks(db: SqlStatements): Promise<readonly RetainedHook[]> {
  return await db.$queryRaw<RetainedHook[]>`
    select id as "hookId", retention_days as days, retention_count as count from hooks
    where deleted_at is null and (retention_days is not null or retention_count is not null) order by id`;
}

const dayMs = 86_400_000;

/** Where the deliveries end that a hook doesn't keep. */
export type RetentionEnd = {
  /** The id before which they are to be removed. */
  readonly end: string;
  /** Those before this id are kept by their number. */
  readonly byCount: string;
  /** Others were stored before it. */
  readonly storedBefore: Date;
};

export async function findRetentionEnd(
  db: SqlStatements,
  { hookId, days, count }: RetainedHook,
  nowMs: number,
): Promise<RetentionEnd> {
  const storedBefore = new Date(days === null ? nowMs : nowMs - days * dayMs);
  const byAge = days === null ? firstId : idFloor(storedBefore.getTime());
  const byCount = count === null ? firstId : await findOldestOf(db, hookId, count);
  return { end: laterId(byAge, byCount), byCount, storedBefore };
}

/** The oldest of the newest `count` deliveries. Counts whole weeks first, along an index. */
async function findOldestOf(db: SqlStatements, hookId: string, count: number): Promise<string> {
  let left = count;
  for (const { name, day } of (await listPartitions(db, ["deliveries"])).toReversed()) {
    const week = partitionName(name);
    const [row] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from (select from ${week} where hook_id = ${hookId}::uuid limit ${left + 1}::int) counted`;
    const inWeek = row?.count ?? 0;
    if (inWeek > left) {
      const [oldest] = await db.$queryRaw<{ id: string }[]>`
        select newest.id from unnest(${[...deliveryStatuses]}::text[]) as wanted(status)
        cross join lateral (
          select id from ${week} where (hook_id, status) = (${hookId}::uuid, wanted.status)
          order by hook_id desc, status desc, id desc limit ${left}::int
        ) newest order by newest.id desc offset ${left - 1}::int limit 1`;
      return oldest?.id ?? firstId;
    }
    left -= inWeek;
    if (left === 0) return day === null ? firstId : idFloor(toMs(day));
  }
  return firstId;
}

/** The start of a week from its name, such as `20261116`. */
function toMs(day: string): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

type RetentionOptions = {
  readonly batchRows?: number;
  /** Called after each batch with its duration. False: stop for now. */
  readonly afterBatch?: (tookMs: number) => Promise<boolean>;
};

/**
 * Removes deliveries of a hook before an id, with their ended runs, in short transactions. One with an
 * open run stays until the run has ended, one that was stored later than its id says until its own
 * time, and one of a restored week as long as that. Statistics and usage keep
 * counting them, and dedupe keys expire by age.
 *
 * @returns the number of deliveries
 */
export async function removeHookDeliveriesBefore(
  db: SqlDatabase,
  hookId: string,
  until: RetentionEnd,
  { batchRows = 1_000, afterBatch = async () => true }: RetentionOptions = {},
): Promise<number> {
  const { end } = until;
  let [found, removed] = [0, 0];
  for (const status of deliveryStatuses) {
    for (let after: string | null = firstId; after !== null; ) {
      const startedAt = performance.now();
      const span: Span = { ...until, hookId, status, after };
      const batch: Batch | null = await db.$transaction((tx) => removeBatch(tx, span, batchRows));
      if (batch === null) return removed;
      found += batch.found;
      removed += batch.removed;
      after = batch.last;
      if (!(await afterBatch(performance.now() - startedAt))) return removed;
    }
  }
  // Those that stay are still searched.
  for (let rows = batchRows; found === removed && rows === batchRows; ) {
    const startedAt = performance.now();
    rows = await db.$executeRaw`
      delete from delivery_terms where id = any (array(
        select id from delivery_terms where hook_id = ${hookId}::uuid and id < ${end}::uuid and last_id < ${end}::uuid
          and not ${isKept(Prisma.sql`id`)} order by hook_id, id limit ${batchRows}::int
      ))`;
    if (!(await afterBatch(performance.now() - startedAt))) return removed;
  }
  await forgetRemoved(db, hookId);
  return removed;
}

type Span = RetentionEnd & {
  readonly hookId: string;
  readonly status: string;
  readonly after: string;
};

type Batch = {
  readonly found: number;
  readonly removed: number;
  /** Where the next batch begins. Null: this was the last one. */
  readonly last: string | null;
};

/**
 * Deliveries are locked, so that no replay is queued for them meanwhile, and asked a second time for
 * open runs: a retry may have put one back while its row in the history was awaited.
 *
 * @returns null if another process removes deliveries
 */
async function removeBatch(
  tx: SqlStatements,
  { hookId, status, after, end, byCount, storedBefore }: Span,
  batchRows: number,
): Promise<Batch | null> {
  const [{ isOurs } = { isOurs: false }] = await tx.$queryRaw<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext('retain_hooks')) as "isOurs"`;
  if (!isOurs) return null;
  await tx.$executeRaw`set local plan_cache_mode = force_custom_plan`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from deliveries
    where (hook_id, status, id) > (${hookId}::uuid, ${status}, ${after}::uuid)
      and (hook_id, status, id) < (${hookId}::uuid, ${status}, ${end}::uuid) and id < ${end}::uuid and not ${isKept(Prisma.sql`id`)}
    order by hook_id, status, id limit ${batchRows}::int`;
  const ids = rows.map(({ id }) => id);
  const [found, last] = [ids.length, ids.length < batchRows ? null : (ids.at(-1) ?? null)];
  if (found === 0) return { found, removed: 0, last };
  const ended = await tx.$queryRaw<{ id: string }[]>`
    select d.id from unnest(${ids}::uuid[]) as doomed(id) cross join lateral (
      select id from deliveries where id = doomed.id and ${hasNoOpenRun}
        and (id < ${byCount}::uuid or stored_at < ${storedBefore} or stored_at is null) for update skip locked
    ) d`;
  const doomed = ended.map(({ id }) => id);
  await tx.$executeRaw`
    with gone as (
      delete from runs where id = any (array(
        select run.id from unnest(${doomed}::uuid[]) as doomed(id) cross join lateral (
          select id from runs where id >= run_id(doomed.id, 0) and id <= run_id(doomed.id, ${lastRun}::int) and delivery_id = doomed.id
          union all
          select id from runs where has_own_id and delivery_id = doomed.id
        ) run
      )) returning id, account_id, hook_id, target_id, event_id, attempt_count
    ), ${keptUsage(runUsage(Prisma.sql`gone`))}, tried as (
      delete from attempts where run_id = any (array(select id from gone))
    )
    delete from run_steps where id = any (array(select id from gone))`;
  const removed = await tx.$executeRaw`
    with gone as (
      delete from deliveries where id = any (${doomed}::uuid[]) and ${hasNoOpenRun}
      returning id, account_id, hook_id, body_size
    ), ${keptUsage(deliveryUsage(Prisma.sql`gone`))}, replied as (
      delete from answers where id = any (${doomed}::uuid[])
    ), heard as (
      delete from listener_responses where delivery_id = any (${doomed}::uuid[])
    )
    select from gone`;
  return { found, removed, last };
}

/** The largest number of a run that is made with its delivery. */
const lastRun = 16_383;

const hasNoOpenRun = Prisma.sql`
  not exists (
    select from queue where queue.id >= run_id(deliveries.id, 0) and queue.id <= run_id(deliveries.id, ${lastRun}::int)
  ) and not exists (select from queue where has_own_id and queue.delivery_id = deliveries.id)`;

/** Updates the newest delivery of the hook if it was removed. */
async function forgetRemoved(db: SqlStatements, hookId: string): Promise<void> {
  const [gone] = await db.$queryRaw<{ deliveryId: string }[]>`
    select delivery_id as "deliveryId" from last_deliveries l
    where l.hook_id = ${hookId}::uuid and not exists (select from deliveries where id = l.delivery_id)`;
  if (gone !== undefined) await forgetLast(db, gone.deliveryId);
}
