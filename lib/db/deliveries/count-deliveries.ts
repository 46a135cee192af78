import { lastId, toIdSpan } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";
import { matchesScan, readHooks } from "./list-deliveries.ts";
import {
  type DeliveryIds,
  isOfOthers,
  isOneOfFew,
  selectByHook,
  selectFew,
  selectOfOthers,
} from "./select-delivery-ids.ts";

/** Deliveries of one status that arrived in one minute, which starts at `ms` (Unix time). */
type MinuteCount = {
  readonly status: DeliveryStatus;
  readonly ms: number;
  readonly count: number;
};

/** The maximum number of deliveries counted one by one. */
const maxCounted = 10_000;
/** The maximum number of hooks searched in their own indexes. */
const maxHooks = 10;

/**
 * Counts the newest deliveries of a filter by status and minute, at most `maxCounted`. Null: no
 * index has them together, such as those of a text search.
 */
export async function countDeliveries(
  db: Database,
  accountId: string,
  filter: DeliveryFilter,
): Promise<{ readonly counts: readonly MinuteCount[]; readonly isMore: boolean } | null> {
  const hooks = await readHooks(db, accountId, filter.hookId);
  const span = toIdSpan(filter, lastId);
  const rows = selectCounted(db, { accountId, filter, hooks, span, limit: maxCounted + 1 });
  if (rows === null) return null;
  const counts = await db.$queryRaw<MinuteCount[]>`
    select status, (uuid_v7_ms(id) / 60000 * 60000)::float8 as ms, count(*)::int as count from (${rows}) found group by 1, 2`;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return { counts, isMore: total > maxCounted };
}

function selectCounted(db: Database, wanted: DeliveryIds): Prisma.Sql | null {
  const { filter, hooks, accountId } = wanted;
  if (filter.q !== undefined) return null;
  if (isOfOthers(filter))
    return Prisma.sql`
      select delivery.id, status from (${selectOfOthers(wanted)}) wanted
      cross join lateral (select * from deliveries where id = wanted.id limit 1) delivery
      where account_id = ${accountId}::uuid ${matchesScan(db, { filter, hooks })}`;
  if (isOneOfFew(filter)) return selectFew(wanted);
  return hooks.live.length <= maxHooks ? selectByHook(wanted) : null;
}
