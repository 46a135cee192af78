import type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { firstId, lastId } from "#lib/db/postgres/page.ts";
import { runSources, runStatusSql } from "#lib/db/runs/run-record.ts";
import { type DeliveryStatus, deliveryStatuses } from "#lib/schema/delivery.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";

/** A delivery with the number of its runs by status. */
export type DeliveryWithRuns = DeliverySummary & {
  readonly runs: readonly { readonly status: RunStatus; readonly count: number }[];
};

export type LastDelivery = {
  readonly hookId: string;
  readonly status: DeliveryStatus;
  readonly receivedAt: Date;
};

/** The newest deliveries of an account with their run counts, in two index reads. */
export async function listLatestDeliveries(
  db: Database,
  accountId: string,
  limit: number,
): Promise<readonly DeliveryWithRuns[]> {
  const { items } = await listDeliveries(db, accountId, {}, { limit });
  const runs = await countRuns(
    db,
    accountId,
    items.map((delivery) => delivery.id),
  );
  return items.map((delivery) => ({ ...delivery, runs: runs.get(delivery.id) ?? [] }));
}

/**
 * The newest delivery of each of these hooks, by one index step per status. For the form of the
 * bounds see `select-delivery-ids.ts`.
 */
export async function findLastDeliveries(
  db: Database,
  accountId: string,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, LastDelivery>> {
  if (hookIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ hook_id: string; status: DeliveryStatus; received_at: Date }[]>`
    select newest.hook_id, newest.status, newest.received_at
    from unnest(${[...hookIds]}::uuid[]) as wanted(hook_id)
    cross join lateral (
      select by_status.* from unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
      cross join lateral (
        select d.id, d.hook_id, d.status, d.received_at from deliveries d
        where (d.hook_id, d.status, d.id) >= (wanted.hook_id, of_status.name, ${firstId}::uuid)
          and (d.hook_id, d.status, d.id) <= (wanted.hook_id, of_status.name, ${lastId}::uuid) and d.account_id = ${accountId}::uuid
        order by d.hook_id desc, d.status desc, d.id desc limit 1
      ) by_status
      order by by_status.id desc limit 1
    ) newest`;
  return new Map(
    rows.map((row) => [
      row.hook_id,
      { hookId: row.hook_id, status: row.status, receivedAt: row.received_at },
    ]),
  );
}

/** Run counts of these deliveries by status. One without runs has no entry. */
export async function countRuns(
  db: Database,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryWithRuns["runs"]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ delivery_id: string; status: RunStatus; count: number }[]>`
    select r.delivery_id, ${runStatusSql} as status, count(*)::int as count from ${runSources}
    where r.delivery_id = any (${[...deliveryIds]}::uuid[]) and r.account_id = ${accountId}::uuid
    group by 1, 2 order by 1, 2`;
  const byDelivery = new Map<string, { status: RunStatus; count: number }[]>();
  for (const { delivery_id, status, count } of rows) {
    const runs = byDelivery.get(delivery_id) ?? [];
    runs.push({ status, count });
    byDelivery.set(delivery_id, runs);
  }
  return byDelivery;
}
