import type { Database } from "#lib/db/postgres/client.ts";
import { runSourcesOfDeliveries } from "./run-sources.ts";

/** The maximum number of runs found. A hook has at most a hundred actions, and seldom more than five. */
const maxRuns = 2_000;

/** The failed runs of these deliveries, by delivery. */
export async function findFailedRunIds(
  db: Database,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.$queryRaw<{ id: string; delivery_id: string }[]>`
    select r.id, r.delivery_id from ${runSourcesOfDeliveries(deliveryIds)}
    where r.account_id = ${accountId}::uuid and r.state = 'failed' and h.deleted_at is null
    order by r.id limit ${maxRuns}::int`;
  const byDelivery = Map.groupBy(rows, (row) => row.delivery_id);
  return new Map(Array.from(byDelivery, ([id, runs]) => [id, runs.map((run) => run.id)]));
}
