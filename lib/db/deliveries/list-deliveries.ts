import { hideSealedValues } from "#lib/core/redact/sealed-value.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import {
  decodeCursor,
  encodeCursor,
  firstId,
  idFloor,
  lastId,
  type Page,
  type PageRequest,
  toPage,
} from "#lib/db/postgres/page.ts";
import { isId } from "#lib/ids.ts";
import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import { deliveryStatuses } from "#lib/schema/delivery.ts";

/** A delivery in a list: without headers and body. */
export type DeliverySummary = {
  readonly id: string;
  readonly hookId: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  /** The reason in words, as in the response to the provider. */
  readonly detail: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | null;
  /** In bytes. */
  readonly bodySize: number;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly duplicateOf: string | null;
  /** The batch delivery that contained this event. */
  readonly batchId: string | null;
  readonly verificationOutcome: string;
  readonly verificationScheme: string | null;
  readonly sourceIp: string;
  /**
   * From its first byte until it was stored and the provider got its response. Null: not recorded.
   */
  readonly responseMs: number | null;
  /** Created by Catchment itself. */
  readonly isSample: boolean;
};

export type DeliveryFilter = {
  readonly hookId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  /** The batch delivery that contained them. */
  readonly batchId?: string | undefined;
  readonly isSample?: boolean | undefined;
  /** Text to find in the event id, type, path, reason, or start of the body. */
  readonly q?: string | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix milliseconds, exclusive. */
  readonly to?: number | undefined;
};

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
  const span = toSpan(filter, page);
  const hooks = await readHooks(db, accountId, filter.hookId);
  const limit = filter.q === undefined ? page.limit + 1 : countToScan(hooks, filter);
  const found = await db.$queryRaw<{ id: string }[]>(
    selectIds({ accountId, filter, hooks, span, limit }),
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

function countToScan({ live }: Hooks, { status }: DeliveryFilter): number {
  const branches = Math.max(1, live.length * (status === undefined ? deliveryStatuses.length : 1));
  return Math.max(200, Math.min(maxScanned, Math.floor(maxScannedIds / branches)));
}

/** Of a body, in bytes. More would let one search read gigabytes. */
const searchedBodyBytes = 16_384;

type Span = { readonly first: string; readonly end: string };
type Hooks = { readonly live: readonly string[]; readonly hasDeleted: boolean };
type Ids = {
  readonly accountId: string;
  readonly filter: DeliveryFilter;
  readonly hooks: Hooks;
  readonly span: Span;
  readonly limit: number;
};

/** Both bounds are ids, which contain times: partitions outside of them are not opened. */
function toSpan(filter: DeliveryFilter, page: PageRequest): Span {
  const cursor = decodeCursor(page.cursor);
  const end = filter.to === undefined ? cursor : idFloor(filter.to);
  return {
    first: filter.from === undefined ? firstId : idFloor(filter.from),
    end: earlier(end, cursor),
  };
}

function earlier(one: string, other: string): string {
  if (one < other) return one;
  return other;
}

async function readHooks(
  db: Database,
  accountId: string,
  hookId: string | undefined,
): Promise<Hooks> {
  const rows = await db.hook.findMany({
    where: hookId === undefined ? { accountId } : { accountId, id: hookId },
    select: { id: true, deletedAt: true },
  });
  const live = rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  return { live, hasDeleted: live.length < rows.length };
}

/**
 * Reads ids only, so that each branch is answered from its index alone. The bounds are row
 * comparisons over all columns of the intended index: with equalities the planner may choose the
 * primary key and filter, which reads the whole table for a rare status or a small account (seen
 * with 30,000 rows before their first vacuum). Their values come from an array: the planner
 * considers a row comparison with constants so selective that it sorts (230 ms at a million rows).
 * The plain bounds on `id` exclude partitions. They cover whole weeks, because for a short span the
 * planner would read all of its ids once for each hook and status.
 */
function selectIds({ accountId, filter, hooks, span: { first, end }, limit }: Ids): Prisma.Sql {
  const { firstWeek, endWeek } = toWeeks(first, end);
  // Samples are few, so excluding them costs one check per row of the page.
  const noSample = filter.isSample === false ? Prisma.sql`and not is_sample` : Prisma.empty;
  const inSpan = Prisma.sql`id >= ${firstWeek}::uuid and id < ${endWeek}::uuid ${noSample}`;
  const { eventId, batchId, eventType, status, hookId, isSample } = filter;
  if (eventId !== undefined || batchId !== undefined || isSample === true) {
    return Prisma.sql`
      select id from deliveries
      where ${isOneOfFew(filter)} and account_id = ${accountId}::uuid and hook_id = any (${hooks.live}::uuid[])
        and id >= ${first}::uuid and id < ${end}::uuid
        and (${status ?? null}::text is null or status = ${status ?? null})
        and (${eventType ?? null}::text is null or event_type = ${eventType ?? null})
        and (${isSample ?? null}::boolean is null or is_sample = ${isSample ?? null})
      order by id desc limit ${limit}::int`;
  }
  const isWholeAccount = hookId === undefined && status === undefined && eventType === undefined;
  if (isWholeAccount && !hooks.hasDeleted) {
    return Prisma.sql`
      select newest.id from unnest(${[accountId]}::uuid[]) as of_account(id)
      cross join lateral (
        select id from deliveries
        where (account_id, id) >= (of_account.id, ${first}::uuid) and (account_id, id) < (of_account.id, ${end}::uuid) and ${inSpan}
        order by account_id desc, id desc limit ${limit}::int
      ) newest
      order by newest.id desc limit ${limit}::int`;
  }
  const isOfType = eventType !== undefined;
  const columns = isOfType ? Prisma.sql`hook_id, event_type, status` : Prisma.sql`hook_id, status`;
  const values = isOfType
    ? Prisma.sql`of_hook.id, ${eventType}::text, of_status.name`
    : Prisma.sql`of_hook.id, of_status.name`;
  const order = isOfType
    ? Prisma.sql`hook_id desc, event_type desc, status desc`
    : Prisma.sql`hook_id desc, status desc`;
  const statuses = status === undefined ? deliveryStatuses : [status];
  // One short walk per hook and status: the index is in order, and only the newest of each can be
  // on the page.
  return Prisma.sql`
    select newest.id
    from unnest(${hooks.live}::uuid[]) as of_hook(id)
    cross join unnest(${[...statuses]}::text[]) as of_status(name)
    cross join lateral (
      select id from deliveries
      where (${columns}, id) >= (${values}, ${first}::uuid) and (${columns}, id) < (${values}, ${end}::uuid) and ${inSpan}
      order by ${order}, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}

/** Filters that match few rows and have their own index. */
function isOneOfFew({ eventId, batchId, isSample }: DeliveryFilter): Prisma.Sql {
  if (batchId !== undefined)
    return Prisma.sql`batch_id = ${batchId}::uuid and (${eventId ?? null}::text is null or event_id = ${eventId ?? null})`;
  return eventId === undefined && isSample === true
    ? Prisma.sql`is_sample`
    : Prisma.sql`event_id = ${eventId ?? null}`;
}

const weekMs = 7 * 86_400_000;
/** Partitions start on Mondays. 1970 started on a Thursday. */
const firstMondayMs = 4 * 86_400_000;

/** The start of the partition week of an instant, both in Unix milliseconds. */
export function startOfWeek(ms: number): number {
  return firstMondayMs + Math.floor((ms - firstMondayMs) / weekMs) * weekMs;
}

/** The bounds of the partitions that contain the ids from `first` to `end`. */
export function toWeeks(
  first: string,
  end: string,
): { readonly firstWeek: string; readonly endWeek: string } {
  const toMs = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  return {
    firstWeek: idFloor(startOfWeek(toMs(first))),
    endWeek: end === lastId ? end : idFloor(startOfWeek(toMs(end)) + weekMs),
  };
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

export const summaryColumns = Prisma.sql`
  id, hook_id, status, reason, detail, received_at, method, path, query, content_type, body_size, event_id, event_type, duplicate_of, batch_id,
  verification_outcome, verification_scheme, source_ip, is_sample, response_ms`;

export type SummaryRow = {
  id: string;
  hook_id: string;
  status: DeliveryStatus;
  reason: string | null;
  detail: string | null;
  received_at: Date;
  method: string;
  path: string;
  query: string;
  content_type: string | null;
  body_size: number;
  event_id: string | null;
  event_type: string | null;
  duplicate_of: string | null;
  batch_id: string | null;
  verification_outcome: string;
  verification_scheme: string | null;
  source_ip: string;
  is_sample: boolean;
  response_ms: number | null;
};

export function toSummary(row: SummaryRow): DeliverySummary {
  return {
    id: row.id,
    hookId: row.hook_id,
    status: row.status,
    reason: row.reason,
    detail: row.detail,
    receivedAt: row.received_at,
    method: row.method,
    path: row.path,
    query: hideSealedValues(row.query),
    contentType: row.content_type,
    bodySize: row.body_size,
    eventId: row.event_id,
    eventType: row.event_type,
    duplicateOf: row.duplicate_of,
    batchId: row.batch_id,
    verificationOutcome: row.verification_outcome,
    verificationScheme: row.verification_scheme,
    sourceIp: row.source_ip,
    isSample: row.is_sample,
    responseMs: row.response_ms,
  };
}
