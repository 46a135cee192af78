import type { Database } from "#lib/db/postgres/client.ts";
import { deliveryCounts } from "#lib/db/statistics/statistics-hours.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import { inOneSnapshot, listLiveHooks } from "./statistics.ts";

/** Deliveries of one status that arrived in one hour, which starts at `ms` (Unix time). */
type HourCount = {
  readonly status: DeliveryStatus;
  readonly ms: number;
  readonly count: number;
};

/**
 * Counts the deliveries of an account, or of one of its hooks, by status and hour since `fromMs`
 * (the start of an hour). The cost doesn't grow with the number of deliveries.
 */
export async function readDeliveryHours(
  db: Database,
  accountId: string,
  { hookId, fromMs }: { readonly hookId: string | undefined; readonly fromMs: number },
): Promise<readonly HourCount[]> {
  const hookIds = await listLiveHooks(db, accountId, hookId === undefined ? undefined : [hookId]);
  const nowMs = Date.now();
  return await inOneSnapshot(db, async (tx, countedUntilMs) => {
    const hours = { accountId, hookIds, fromMs, countedUntilMs, nowMs };
    return await tx.$queryRaw<HourCount[]>`
      with ${deliveryCounts(hours)}
      select status, date_part('epoch', hour) * 1000 as ms, sum(count::float8) as count from counted group by 1, 2`;
  });
}
