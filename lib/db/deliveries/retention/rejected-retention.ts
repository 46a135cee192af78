import { forgetLast } from "#lib/db/deliveries/delete-delivery.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { isKept } from "#lib/db/postgres/partitions/kept-weeks.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { keptUsage } from "#lib/db/usage/keep-usage.ts";
import { deliveryUsage } from "#lib/db/usage/select-usage.ts";

const batchRows = 5_000;
/**
 * Statuses of unverified deliveries. Anyone who knows a catch URL can send them, and they have no
 * runs.
 */
const unverified = ["rejected", "handshake"];

/**
 * Deletes rejected deliveries and handshakes that are older than `cutoff`, by their ids and by when they were
 * stored, in batches, before their week is over. Statistics and usage keep counting them. Restored weeks stay whole.
 *
 * @param shouldStop is checked between batches
 * @returns the number of deliveries
 */
export async function sweepRejectedBefore(
  db: SqlDatabase,
  cutoff: Date,
  shouldStop: () => boolean,
): Promise<number> {
  let total = 0;
  while (!shouldStop()) {
    const deleted = await db.$executeRaw`
      with gone as (
        delete from deliveries where id = any (array(
          select old.id from hooks
          cross join unnest(${unverified}::text[]) as of_status(name)
          cross join lateral (
            select id from deliveries
            where hook_id = hooks.id and status = of_status.name and id < uuid_v7_floor(${cutoff})
              and (stored_at < ${cutoff} or stored_at is null) and not ${isKept(Prisma.sql`id`)}
            order by hook_id, status, id limit ${batchRows}
          ) old limit ${batchRows}
        )) returning id, account_id, hook_id, body_size
      ), ${keptUsage(deliveryUsage(Prisma.sql`gone`))}
      select from gone`;
    total += deleted;
    if (deleted < batchRows) break;
  }
  await forgetDeleted(db, cutoff);
  return total;
}

/** Updates the newest delivery of hooks, because it may have been deleted. */
async function forgetDeleted(db: SqlDatabase, cutoff: Date): Promise<void> {
  const rows = await db.$queryRaw<{ deliveryId: string }[]>`
    select l.delivery_id as "deliveryId" from last_deliveries l
    where l.status = any (${unverified}::text[]) and l.delivery_id < uuid_v7_floor(${cutoff})
      and not exists (select from deliveries where id = l.delivery_id)`;
  for (const { deliveryId } of rows) await forgetLast(db, deliveryId);
}
