import type { Database } from "#lib/db/postgres/client.ts";
import { runStatusSql } from "#lib/db/runs/run-record.ts";
import { runSourcesOfDeliveries } from "#lib/db/runs/run-sources.ts";
import { selectTail } from "#lib/db/statistics/statistics-tail.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

/** The number of a delivery's runs by status. */
type CountedRuns = readonly { readonly status: RunStatus; readonly count: number }[];

export type LastDelivery = {
  readonly hookId: string;
  readonly status: DeliveryStatus;
  readonly receivedAt: Date;
};

/**
 * The newest delivery of each of these hooks: what the roll-up has kept, and newer ones that it has
 * not counted yet.
 */
export async function findLastDeliveries(
  db: Database,
  accountId: string,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, LastDelivery>> {
  if (hookIds.length === 0) return new Map();
  const { _max } = await db.statisticsHour.aggregate({ _max: { countedUntil: true } });
  const span = { sinceMs: _max.countedUntil?.getTime() ?? 0, nowMs: Date.now() };
  const rows = await db.$queryRaw<{ hook_id: string; status: DeliveryStatus; received_at: Date }[]>`
    with newer as (
      select distinct on (tail.hook_id) tail.hook_id, tail.id from (${selectTail({ accountId, hookIds, ...span }, "newest")}) tail
      order by tail.hook_id, tail.id desc
    )
    select wanted.id as hook_id, coalesce(d.status, kept.status) as status, coalesce(d.received_at, kept.received_at) as received_at
    from unnest(${[...hookIds]}::uuid[]) as wanted(id)
    left join last_deliveries kept on kept.hook_id = wanted.id and kept.account_id = ${accountId}::uuid
    left join newer on newer.hook_id = wanted.id
    left join lateral (select status, received_at from deliveries where id = newer.id and account_id = ${accountId}::uuid limit 1) d on true
    where d.status is not null or kept.status is not null`;
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
): Promise<ReadonlyMap<string, CountedRuns>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ delivery_id: string; status: RunStatus; count: number }[]>`
    select r.delivery_id, ${runStatusSql} as status, count(*)::int as count from ${runSourcesOfDeliveries(deliveryIds)}
    where r.account_id = ${accountId}::uuid
    group by 1, 2 order by 1, 2`;
  const byDelivery = new Map<string, { status: RunStatus; count: number }[]>();
  for (const { delivery_id, status, count } of rows) {
    const runs = byDelivery.get(delivery_id) ?? [];
    runs.push({ status, count });
    byDelivery.set(delivery_id, runs);
  }
  return byDelivery;
}
