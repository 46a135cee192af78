import {
  decodeCursor,
  encodeCursor,
  lastId,
  type Page,
  type PageRequest,
  toIdSpan,
} from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { hasMask } from "#lib/db/masking/masked-database.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import type { EventQuery } from "#lib/schema/send/event-query.ts";
import { type EventRecord, eventColumns } from "./event-record.ts";

export type EventFilter = Partial<Pick<EventQuery, "type" | "recipient" | "from" | "to" | "q">>;

/**
 * The maximum number of events read for a text search, which reads bodies, or for a type combined
 * with a recipient.
 */
const maxSearched = 1_000;
/** The searched part of a body, in bytes. More would let one search read gigabytes. */
const searchedBodyBytes = 16_384;

/**
 * Lists events, newest first, by keyset. A type or a recipient has its own index. With both, or
 * with text, a page reads at most 1,000 events: it may be short or empty and still have a
 * `nextCursor`.
 */
export async function listEvents(
  db: Database,
  accountId: string,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<EventRecord>> {
  const { type, recipient, q } = filter;
  const isSearched = q !== undefined || (type !== undefined && recipient !== undefined);
  const limit = isSearched ? maxSearched : page.limit + 1;
  const span = toIdSpan(filter, decodeCursor(page.cursor));
  const scanned = await db.$queryRaw<{ id: string }[]>(
    selectEventIds(accountId, filter, span, limit),
  );
  const ids = scanned.map(({ id }) => id);
  const rows = await db.$queryRaw<EventRecord[]>`
    select ${eventColumns} from unnest(${ids}::uuid[]) as wanted(wanted_id)
    cross join lateral (select * from events where id = wanted.wanted_id limit 1) e
    where e.account_id = ${accountId}::uuid
      and (${type ?? null}::text is null or e.type = ${type ?? null})
      ${q === undefined ? Prisma.empty : contains(db, q)}
    order by e.id desc limit ${page.limit + 1}::int`;
  const items = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? items.at(-1)?.internalId : undefined;
  const end = last ?? (scanned.length === limit ? ids.at(-1) : undefined);
  return { items, nextCursor: end === undefined ? null : encodeCursor(end) };
}

/**
 * Selects ids. The bounds are row comparisons, for the reason given in `select-delivery-ids.ts`.
 */
function selectEventIds(
  accountId: string,
  { type, recipient }: EventFilter,
  span: { readonly first: string; readonly end: string },
  limit: number,
): Prisma.Sql {
  const [columns, values, order] =
    recipient !== undefined
      ? [
          Prisma.sql`account_id, recipient`,
          Prisma.sql`of_account.id, ${recipient}::text`,
          Prisma.sql`account_id desc, recipient desc`,
        ]
      : type !== undefined
        ? [
            Prisma.sql`account_id, type`,
            Prisma.sql`of_account.id, ${type}::text`,
            Prisma.sql`account_id desc, type desc`,
          ]
        : [Prisma.sql`account_id`, Prisma.sql`of_account.id`, Prisma.sql`account_id desc`];
  const { firstWeek, endWeek } = toWeeks(span);
  return Prisma.sql`
    select newest.id from unnest(${[accountId]}::uuid[]) as of_account(id)
    cross join lateral (
      select id from events
      where (${columns}, id) >= (${values}, ${span.first}::uuid) and (${columns}, id) < (${values}, ${span.end}::uuid)
        and id >= ${firstWeek}::uuid and id < ${endWeek}::uuid
        ${recipient === undefined ? Prisma.empty : Prisma.sql`and recipient is not null`}
      order by ${order}, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}

/** Searches bodies like `listDeliveries`, and not with masked fields. */
function contains(db: Database, q: string): Prisma.Sql {
  return Prisma.sql`and (
    strpos(lower(e.public_id), lower(${q})) > 0
    or strpos(e.type, lower(${q})) > 0
    or strpos(lower(coalesce(e.recipient, '')), lower(${q})) > 0
    ${hasMask(db) ? Prisma.empty : inBody(q)}
  )`;
}

function inBody(q: string): Prisma.Sql {
  return Prisma.sql`
    or strpos(
      lower(encode(substring(e.body from 1 for ${searchedBodyBytes}::int), 'escape') collate "C"),
      lower(encode(convert_to(${q}, 'UTF8'), 'escape') collate "C")
    ) > 0`;
}

const maxCounted = 10_000;

/** Counts the events published since then, up to 10,000. */
export async function countEvents(
  db: Database,
  accountId: string,
  fromMs: number,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  const { first } = toIdSpan({ from: fromMs }, lastId);
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from events where account_id = ${accountId}::uuid and id >= ${first}::uuid
      order by account_id desc, id desc limit ${maxCounted + 1}::int
    ) newest`;
  const count = row?.count ?? 0;
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted };
}
