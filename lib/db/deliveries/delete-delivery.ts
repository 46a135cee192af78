import { Prisma } from "#lib/db/generated/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { runIdRange } from "#lib/db/runs/run-sources.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { keptUsage } from "#lib/db/usage/keep-usage.ts";
import { deliveryUsage, eventUsage, runUsage } from "#lib/db/usage/select-usage.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";

/**
 * Permanently deletes a delivery with its runs and their attempts. Its dedupe key stays: if the
 * same event is sent again, it is still a duplicate and runs nothing. Throws `not_found`.
 *
 * @returns false if one of its calls is in flight; the transaction must be rolled back then
 */
export async function removeDelivery(
  tx: SqlStatements,
  accountId: string,
  deliveryId: string,
): Promise<boolean> {
  const id = requireId("delivery", deliveryId);
  const found = await tx.$queryRaw`
    select d.id from deliveries d
    join hooks h on h.id = d.hook_id and h.deleted_at is null
    where d.id = ${id}::uuid and d.account_id = ${accountId}::uuid for update of d`;
  if (!Array.isArray(found) || found.length === 0) throw notFound("delivery");
  return await eraseDelivery(tx, accountId, id);
}

/**
 * The same for one that is known to be there, also of a deleted hook.
 *
 * @returns false if one of its calls is in flight; the transaction must be rolled back then
 */
export async function eraseDelivery(
  tx: SqlStatements,
  accountId: string,
  id: string,
): Promise<boolean> {
  const runIds = await deleteRuns(tx, accountId, "delivery_id", id);
  if (runIds === null) return false;
  await tx.$executeRaw`delete from answers where id = ${id}::uuid`;
  await tx.$executeRaw`delete from listener_responses where delivery_id = ${id}::uuid`;
  await tx.$executeRaw`
    with gone as (
      delete from deliveries where id = ${id}::uuid returning id, account_id, hook_id, body_size
    ), ${keptUsage(deliveryUsage(Prisma.sql`gone`))}
    select from gone`;
  await forgetLast(tx, id);
  await recountHours(tx, [id, ...runIds]);
  return true;
}

/**
 * Permanently deletes an event with its sends and their attempts. Its key stays: if the same event is
 * published again, it is still a repeat.
 *
 * @returns false if one of its calls is in flight; the transaction must be rolled back then
 */
export async function eraseEvent(
  tx: SqlStatements,
  accountId: string,
  id: string,
): Promise<boolean> {
  const runIds = await deleteRuns(tx, accountId, "event_id", id);
  if (runIds === null) return false;
  await tx.$executeRaw`
    with gone as (
      delete from events where id = ${id}::uuid and account_id = ${accountId}::uuid returning id, account_id, recipient, body
    ), ${keptUsage(eventUsage(Prisma.sql`gone`))}
    select from gone`;
  await recountHours(tx, [id, ...runIds]);
  return true;
}

/**
 * Deletes the runs of a delivery or an event with their attempts. A run may move from the queue to the history
 * or back meanwhile, so this repeats until there are none. Attempts come last, in a separate
 * statement, which sees those of runs that it had to wait for.
 *
 * @returns their ids, or null if one is in flight
 */
async function deleteRuns(
  tx: SqlStatements,
  accountId: string,
  column: "delivery_id" | "event_id",
  originId: string,
): Promise<readonly string[] | null> {
  const { first, last } = runIdRange(originId);
  const isOfOrigin = Prisma.sql`${Prisma.raw(column)} = ${originId}::uuid`;
  const isOf = (
    table: Prisma.Sql,
  ) => Prisma.sql`account_id = ${accountId}::uuid and id = any (array(
    select id from ${table} where id >= ${first}::uuid and id <= ${last}::uuid and ${isOfOrigin}
    union all
    select id from ${table} where has_own_id and ${isOfOrigin}
  ))`;
  const [isQueued, isEnded] = [isOf(Prisma.sql`queue`), isOf(Prisma.sql`runs`)];
  const counted = Prisma.sql`id, account_id, hook_id, target_id, event_id, attempt_count`;
  const deleted: string[] = [];
  for (;;) {
    // The rows are locked, so that no worker claims one of them meanwhile.
    const open = await tx.$queryRaw<{ isLeased: boolean }[]>`
      select lease_id is not null as "isLeased" from queue where ${isQueued} for update`;
    if (open.some(({ isLeased }) => isLeased)) return null;
    const seen = await tx.$queryRaw<{ id: string; isGone: boolean }[]>`
      with seen as materialized (
        select id from queue where ${isQueued} union all select id from runs where ${isEnded}
      ), waiting as (
        delete from queue where ${isQueued} and lease_id is null returning ${counted}
      ), ended as (
        delete from runs where ${isEnded} returning ${counted}
      ), gone as (
        select ${counted} from waiting union all select ${counted} from ended
      ), ${keptUsage(runUsage(Prisma.sql`gone`))}
      select seen.id, gone.id is not null as "isGone" from seen left join gone using (id)`;
    deleted.push(...seen.filter(({ isGone }) => isGone).map(({ id }) => id));
    if (seen.length === 0) break;
  }
  await tx.$executeRaw`delete from attempts where run_id = any (${deleted}::uuid[])`;
  await tx.$executeRaw`delete from run_steps where id = any (${deleted}::uuid[])`;
  return deleted;
}

/** Updates the hook's newest delivery if it was this one: the one before it takes its place. */
export async function forgetLast(tx: SqlStatements, deliveryId: string): Promise<void> {
  const [kept] = await tx.$queryRaw<{ hook_id: string }[]>`
    delete from last_deliveries where delivery_id = ${deliveryId}::uuid returning hook_id`;
  if (kept === undefined) return;
  await tx.$executeRaw`
    insert into last_deliveries (hook_id, account_id, delivery_id, status, received_at)
    select newest.hook_id, newest.account_id, newest.id, newest.status, newest.received_at
    from unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
    cross join lateral (
      select id, hook_id, account_id, status, received_at from deliveries
      where hook_id = ${kept.hook_id}::uuid and status = of_status.name and id < ${deliveryId}::uuid
      order by hook_id desc, status desc, id desc limit 1
    ) newest
    order by newest.id desc limit 1
    on conflict do nothing`;
}
