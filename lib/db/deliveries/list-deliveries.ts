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
import type { DeliveryFilter } from "./delivery-filter.ts";
import {
  type DeliverySummary,
  type SummaryRow,
  summaryColumns,
  toSummary,
} from "./delivery-summary.ts";
import { findDeliveryIds } from "./find-delivery-ids.ts";
import type { SelectedHooks } from "./select-delivery-ids.ts";

/**
 * Lists deliveries, newest first, by keyset. The cost doesn't depend on the number of rows: every
 * filter except `q` walks an index from its end and stops when the page is full. `q` scans 1,000
 * deliveries per page. So a page for `q`, for a rare type among many hooks, or next to a deleted
 * hook may be short or empty and still have a `nextCursor`. Excludes deliveries of deleted hooks.
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
  const limit = filter.q === undefined ? page.limit + 1 : maxScanned;
  const { ids, end } = await findDeliveryIds(db, { accountId, filter, hooks, span, limit });
  // The page isn't full, so the rest was not searched.
  const rest = ids.length < limit ? end : (ids.at(-1)?.id ?? null);
  const restCursor = rest === null ? null : encodeCursor(rest);
  if (filter.q === undefined) {
    const { items, nextCursor } = toPage(ids, page.limit);
    return {
      items: await readSummaries(db, accountId, items),
      nextCursor: ids.length < limit ? restCursor : nextCursor,
    };
  }
  const matches = toPage(
    await readSummaries(db, accountId, ids, filter.q, page.limit + 1),
    page.limit,
  );
  return { items: matches.items, nextCursor: matches.nextCursor ?? restCursor };
}

/** The maximum number of deliveries scanned. Each is looked up, in four buffers. */
const maxScanned = 1_000;

async function readHooks(
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
  q?: string,
  limit: number = rows.length,
): Promise<readonly DeliverySummary[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  // One lookup per id, each in its one possible partition. `id = any (…)` would ask every partition
  // for all of them.
  const found = await db.$queryRaw<SummaryRow[]>`
    select ${summaryColumns} from unnest(${ids}::uuid[]) as wanted(wanted_id)
    cross join lateral (select * from deliveries where id = wanted.wanted_id limit 1) delivery
    where account_id = ${accountId}::uuid ${q === undefined ? Prisma.empty : contains(q)}
    order by id desc limit ${limit}::int`;
  return found.map(toSummary);
}

/** The searched part of a body, in bytes. More would let one search read gigabytes. */
const searchedBodyBytes = 16_384;

/**
 * Searches the body as the text that `encode(…, 'escape')` makes of its bytes, because it may not
 * be text. Letters beyond ASCII are case-sensitive.
 */
export function contains(q: string): Prisma.Sql {
  return Prisma.sql`and (
    strpos(lower(coalesce(event_id, '')), lower(${q})) > 0
    or strpos(lower(coalesce(event_type, '')), lower(${q})) > 0
    or strpos(lower(path), lower(${q})) > 0
    or strpos(lower(coalesce(reason, '')), lower(${q})) > 0
    or strpos(
      lower(encode(substring(body from 1 for ${searchedBodyBytes}::int), 'escape') collate "C"),
      lower(encode(convert_to(${q}, 'UTF8'), 'escape') collate "C")
    ) > 0
  )`;
}
