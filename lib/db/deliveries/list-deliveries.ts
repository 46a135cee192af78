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
import { deliveryStatuses } from "#lib/schema/delivery.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";
import {
  type DeliverySummary,
  type SummaryRow,
  summaryColumns,
  toSummary,
} from "./delivery-summary.ts";
import { type SelectedHooks, selectDeliveryIds } from "./select-delivery-ids.ts";

/**
 * Newest first, by keyset. Costs the same with ten million rows as with ten: every filter except
 * `q` walks an index from its end and stops when the page is full. `q` scans 2,000 deliveries a
 * page (fewer in an account with many hooks), so such a page may be short or empty and still have a
 * `nextCursor`. Excludes deliveries of deleted hooks.
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
  const limit = filter.q === undefined ? page.limit + 1 : countToScan(hooks, filter);
  const found = await db.$queryRaw<{ id: string }[]>(
    selectDeliveryIds({ accountId, filter, hooks, span, limit }),
  );
  if (filter.q === undefined) {
    const { items, nextCursor } = toPage(found, page.limit);
    return { items: await readSummaries(db, accountId, items), nextCursor };
  }
  const matches = toPage(
    await readSummaries(db, accountId, found, filter.q, page.limit + 1),
    page.limit,
  );
  const lastScanned = found.at(-1);
  if (matches.nextCursor !== null || found.length < limit || lastScanned === undefined)
    return matches;
  return { items: matches.items, nextCursor: encodeCursor(lastScanned.id) };
}

const maxScanned = 2_000;
/**
 * Each combination of hook and status may have to return as many ids as are scanned before the
 * newest are known.
 */
const maxScannedIds = 60_000;

function countToScan({ live }: SelectedHooks, { status }: DeliveryFilter): number {
  const branches = Math.max(1, live.length * (status === undefined ? deliveryStatuses.length : 1));
  return Math.max(200, Math.min(maxScanned, Math.floor(maxScannedIds / branches)));
}

async function readHooks(
  db: Database,
  accountId: string,
  hookId: string | undefined,
): Promise<SelectedHooks> {
  const rows = await db.hook.findMany({
    where: hookId === undefined ? { accountId } : { accountId, id: hookId },
    select: { id: true, deletedAt: true },
  });
  const live = rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  return { live, hasDeleted: live.length < rows.length };
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

/** Of a body, in bytes. More would let one search read gigabytes. */
const searchedBodyBytes = 16_384;

/**
 * Searches the body as the text that `encode(…, 'escape')` makes of its bytes, because it may not
 * be text at all. Letters beyond ASCII must match in case.
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
