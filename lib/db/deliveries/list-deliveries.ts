import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import {
  decodeCursor,
  encodeCursor,
  type Page,
  type PageRequest,
  toIdSpan,
  toPage,
} from "#lib/db/postgres/page.ts";
import { isId } from "#lib/ids.ts";
import { contains } from "./contains-text.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";
import {
  type DeliverySummary,
  type SummaryRow,
  summaryColumns,
  toSummary,
} from "./delivery-summary.ts";
import { findDeliveryIds } from "./find-delivery-ids.ts";
import { isOfOthers, type SelectedHooks } from "./select-delivery-ids.ts";

/**
 * Lists deliveries, newest first, by keyset. The cost doesn't depend on the number of rows: every
 * filter except `q` walks an index from its end and stops when the page is full. `q` scans 1,000
 * deliveries per page, and `runs` 1,000 with a failed run. So a page for these, for a rare type
 * among many hooks, or next to a deleted hook may be short or empty and still have a `nextCursor`.
 * Excludes deliveries of deleted hooks.
 */
export async function listDeliveries(
  db: Database,
  accountId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliverySummary>> {
  for (const id of [filter.hookId, filter.batchId])
    if (id !== undefined && !isId(id)) return { items: [], nextCursor: null };
  const span = toIdSpan(filter, decodeCursor(page.cursor));
  const hooks = await readHooks(db, accountId, filter.hookId);
  const isScan = filter.q !== undefined || isOfOthers(filter);
  const limit = isScan ? maxScanned : page.limit + 1;
  const { ids, end } = await findDeliveryIds(db, { accountId, filter, hooks, span, limit });
  // The page isn't full, so the rest was not searched.
  const rest = ids.length < limit ? end : (ids.at(-1)?.id ?? null);
  const restCursor = rest === null ? null : encodeCursor(rest);
  if (!isScan) {
    const { items, nextCursor } = toPage(ids, page.limit);
    return {
      items: await readSummaries(db, accountId, items),
      nextCursor: ids.length < limit ? restCursor : nextCursor,
    };
  }
  const matches = toPage(
    await readSummaries(db, accountId, ids, { filter, hooks, limit: page.limit + 1 }),
    page.limit,
  );
  return { items: matches.items, nextCursor: matches.nextCursor ?? restCursor };
}

/** The maximum number of deliveries scanned. Each is looked up, in four buffers. */
const maxScanned = 1_000;

/** The hooks of a filter. */
export async function readHooks(
  db: Database,
  accountId: string,
  hookId: string | undefined,
): Promise<SelectedHooks> {
  const rows = await db.hook.findMany({
    where: hookId === undefined ? { accountId } : { accountId, id: hookId },
    select: { id: true, deletedAt: true },
  });
  const idsOf = (isLive: boolean) =>
    rows.filter(({ deletedAt }) => (deletedAt === null) === isLive).map(({ id }) => id);
  return { live: idsOf(true), deleted: idsOf(false) };
}

async function readSummaries(
  db: Database,
  accountId: string,
  rows: readonly { readonly id: string }[],
  scan?: Scan & { readonly limit: number },
): Promise<readonly DeliverySummary[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  // One lookup per id, each in its one possible partition. `id = any (…)` would ask every partition
  // for all of them.
  const found = await db.$queryRaw<SummaryRow[]>`
    select ${summaryColumns} from unnest(${ids}::uuid[]) as wanted(wanted_id)
    cross join lateral (select * from deliveries where id = wanted.wanted_id limit 1) delivery
    where account_id = ${accountId}::uuid ${scan === undefined ? Prisma.empty : matchesScan(db, scan)}
    order by id desc limit ${scan?.limit ?? rows.length}::int`;
  return found.map(toSummary);
}

type Scan = { readonly filter: DeliveryFilter; readonly hooks: SelectedHooks };

/** The conditions that the index of a scan doesn't cover. */
export function matchesScan(db: Database, { filter, hooks }: Scan): Prisma.Sql {
  const text = filter.q === undefined ? Prisma.empty : contains(db, filter.q);
  if (!isOfOthers(filter)) return text;
  const { status, eventType, eventId, batchId, isSample } = filter;
  return Prisma.sql`${text} and hook_id = any (${hooks.live}::uuid[])
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (${eventType ?? null}::text is null or event_type = ${eventType ?? null})
    and (${eventId ?? null}::text is null or event_id = ${eventId ?? null})
    and (${batchId ?? null}::uuid is null or batch_id = ${batchId ?? null}::uuid)
    and (${isSample ?? null}::boolean is null or is_sample = ${isSample ?? null})`;
}
