import { isId } from "#lib/base/ids.ts";
import {
  decodeCursor,
  encodeCursor,
  type IdSpan,
  laterId,
  type Page,
  type PageRequest,
  toIdSpan,
  toPage,
} from "#lib/core/api/page.ts";
import {
  type Candidates,
  type FieldSearch,
  findCandidates,
  readFieldSearch,
} from "#lib/db/field-search/find-indexed.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { hasMask } from "#lib/db/masking/masked-database.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { contains, hasValue } from "./contains-text.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";
import {
  type DeliverySummary,
  type SummaryRow,
  summaryColumns,
  toSummary,
} from "./delivery-summary.ts";
import { findDeliveryIds } from "./find-delivery-ids.ts";
import { isOfOthers, isOneOfFew, type SelectedHooks } from "./select-delivery-ids.ts";

/**
 * Lists deliveries, newest first, by keyset. The cost doesn't depend on the number of rows: every
 * filter except a text walks an index from its end and stops when the page is full. A text scans 1,000
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
  const search = await findFieldSearch(db, filter, hooks);
  if (search !== null)
    return await searchFields(db, { accountId, filter, hooks, span, search, page });
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
    await readSummaries(db, accountId, ids, {
      filter,
      hooks,
      limit: page.limit + 1,
    }),
    page.limit,
  );
  return { items: matches.items, nextCursor: matches.nextCursor ?? restCursor };
}

/** Null: the filter has other rows to start from, or no index for its text. */
async function findFieldSearch(
  db: Database,
  filter: DeliveryFilter,
  hooks: SelectedHooks,
): Promise<FieldSearch | null> {
  const { q } = filter;
  if (q === undefined || hasMask(db) || isOfOthers(filter) || isOneOfFew(filter)) return null;
  return await readFieldSearch(db, hooks.live, q);
}

type FieldSearchPage = {
  readonly accountId: string;
  readonly filter: DeliveryFilter;
  readonly hooks: SelectedHooks;
  readonly span: IdSpan;
  readonly search: FieldSearch;
  readonly page: PageRequest;
};

/**
 * Finds a value of a field: deliveries that aren't indexed yet are read one by one, the others by
 * their terms.
 */
async function searchFields(db: Database, wanted: FieldSearchPage): Promise<Page<DeliverySummary>> {
  const { accountId, filter, hooks, span, search, page } = wanted;
  const items: DeliverySummary[] = [];
  const first = laterId(span.first, search.coveredUntil);
  let rest: string | null = null;
  for await (const { ids, end } of listCandidates(db, wanted, first)) {
    const limit = page.limit + 1 - items.length;
    items.push(
      ...(await readSummaries(db, accountId, ids, { filter, hooks, limit, isField: true })),
    );
    if (items.length > page.limit) return toPage(items, page.limit);
    rest = end;
  }
  return { items, nextCursor: rest === null ? null : encodeCursor(rest) };
}

async function* listCandidates(
  db: Database,
  { accountId, filter, hooks, span, search }: FieldSearchPage,
  first: string,
): AsyncGenerator<Candidates> {
  if (first < span.end) {
    const unindexed = { first, end: span.end };
    const part = { accountId, filter, hooks, span: unindexed, limit: maxScanned };
    const { ids, end } = await findDeliveryIds(db, part);
    const rest = ids.length < maxScanned ? end : (ids.at(-1)?.id ?? null);
    yield { ids, end: rest };
    if (rest !== null) return;
  }
  const indexed = { first: span.first, end: first < span.end ? first : span.end };
  if (indexed.first < indexed.end) yield* findCandidates(db, search, indexed, filter.status);
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

type Scan = {
  readonly filter: DeliveryFilter;
  readonly hooks: SelectedHooks;
  /** The text is a value of a field, and no other text matches. */
  readonly isField?: boolean;
};

/** The conditions that the index of a scan doesn't cover. */
export function matchesScan(db: Database, scan: Scan): Prisma.Sql {
  const { q } = scan.filter;
  if (q !== undefined && scan.isField) return Prisma.sql`and ${hasValue(q)} ${matchesFilter(scan)}`;
  const text = q === undefined ? Prisma.empty : contains(db, q);
  if (!isOfOthers(scan.filter)) return text;
  return Prisma.sql`${text} ${matchesFilter(scan)}`;
}

function matchesFilter({ filter, hooks }: Scan): Prisma.Sql {
  const { status, eventType, eventId, batchId, isSample } = filter;
  return Prisma.sql`and hook_id = any (${hooks.live}::uuid[])
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (${eventType ?? null}::text is null or event_type = ${eventType ?? null})
    and (${eventId ?? null}::text is null or event_id = ${eventId ?? null})
    and (${batchId ?? null}::uuid is null or batch_id = ${batchId ?? null}::uuid)
    and (${isSample ?? null}::boolean is null or is_sample = ${isSample ?? null})`;
}

/** The bytes to read. The values that a list shows are seldom further back. */
const shownBytes = 16_384;

/** Reads the start of each delivery's body, and no more. A delivery without a body has no entry. */
export async function readBodyStarts(
  db: Database,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (deliveryIds.length === 0) return new Map();
  // Each id is looked up separately, as in `readSummaries`.
  const rows = await db.$queryRaw<{ id: string; start: Uint8Array }[]>`
    select id, start from unnest(${[...deliveryIds]}::uuid[]) as wanted(wanted_id)
    cross join lateral (
      select id, account_id, substring(body from 1 for ${shownBytes}::int) as start from deliveries
      where id = wanted.wanted_id and body_size > 0 limit 1
    ) delivery
    where account_id = ${accountId}::uuid`;
  return new Map(rows.map(({ id, start }) => [id, start]));
}
