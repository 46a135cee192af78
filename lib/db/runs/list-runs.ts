import { isId } from "#lib/base/ids.ts";
import {
  decodeCursor,
  encodeCursor,
  type Page,
  type PageRequest,
  toIdSpan,
  toPage,
} from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { hasMask } from "#lib/db/masking/masked-database.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { hasPossibleIds, type RunFilter } from "./run-filter.ts";
import {
  isOfLiveOwner,
  type RunRecord,
  type RunRow,
  runColumns,
  runStatusSql,
  toRunRecord,
  unknownReason,
} from "./run-record.ts";
import { runSourcesOf } from "./run-sources.ts";
import { selectRunIds } from "./select-run-ids.ts";

/**
 * Lists runs, newest first, by keyset. Each page scans at most 2,000 runs, 500 for text, so that
 * rare matches cost no more than common ones: such a page may be short or empty and still have a
 * `nextCursor`.
 */
export async function listRuns(
  db: Database,
  accountId: string,
  filter: RunFilter,
  page: PageRequest,
): Promise<Page<RunRecord>> {
  if (!hasPossibleIds(filter)) return { items: [], nextCursor: null };
  const span = toIdSpan(filter, decodeCursor(page.cursor));
  const targetIds = await listTargets(db, accountId, filter);
  // The first scan is as short as the page. That is nearly always enough, unless the index can't
  // decide everything.
  const most = filter.q === undefined ? maxScanned : maxSearched;
  for (const limit of [page.limit + 1, Math.min(4 * (page.limit + 1), most), most]) {
    const scanned = await scan(db, selectRunIds({ accountId, filter, targetIds, span, limit }));
    const wanted = { ids: scanned.map(({ id }) => id), filter, limit: page.limit + 1 };
    const matches = toPage(await readRuns(db, accountId, wanted), page.limit);
    if (matches.nextCursor !== null || scanned.length < limit) return matches;
    const lastScanned = scanned.at(-1);
    if (limit === most && lastScanned !== undefined) {
      return { items: matches.items, nextCursor: encodeCursor(lastScanned.id) };
    }
  }
  return { items: [], nextCursor: null };
}

/**
 * Lists all runs of one event, by its internal id, oldest first, or the newest 200 if there are
 * more.
 */
export async function listRunsOfEvent(
  db: Database,
  accountId: string,
  eventId: string,
  scope: Pick<RunFilter, "recipient"> = {},
): Promise<readonly RunRecord[]> {
  const page = await listRuns(db, accountId, { ...scope, eventId }, { limit: 200 });
  return page.items.toReversed();
}

/**
 * Scans ids. While PostgreSQL assumes that the queue has no rows, sorting all of them looks cheaper
 * than the index that is in order.
 */
async function scan(db: Database, ids: Prisma.Sql): Promise<readonly { readonly id: string }[]> {
  const [, scanned] = await db.$transaction([
    db.$executeRaw`set local enable_sort = off`,
    db.$queryRaw<{ id: string }[]>(ids),
  ]);
  return scanned;
}

/**
 * Lists all runs of one delivery in the order they were created, or the newest 200 if there are
 * more.
 */
export async function listRunsOfDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<readonly RunRecord[]> {
  const page = await listRuns(db, accountId, { deliveryId }, { limit: 200 });
  return page.items.toReversed();
}

/**
 * Lists the actions or subscriptions that a filter selects. Null: it names none. Deleted actions
 * keep their history.
 */
export async function listTargets(
  db: SqlStatements,
  accountId: string,
  { hookId, actionId, subscriptionId, recipient }: RunFilter,
): Promise<readonly string[] | null> {
  const target = actionId ?? subscriptionId;
  if (target !== undefined) return [target];
  if (recipient !== undefined) {
    const subscriptions = await db.$queryRaw<{ id: string }[]>`
      select id from subscriptions where account_id = ${accountId}::uuid and recipient = ${recipient} and deleted_at is null`;
    return subscriptions.map(({ id }) => id);
  }
  if (hookId === undefined) return null;
  const actions = await db.$queryRaw<{ id: string }[]>`
    select id from actions where account_id = ${accountId}::uuid and hook_id = ${hookId}::uuid`;
  return actions.map(({ id }) => id);
}

type Wanted = {
  readonly ids: readonly string[];
  readonly filter?: RunFilter;
  readonly limit: number;
};

/** Reads runs, newest first, regardless of the order of the ids. */
export async function readRuns(
  db: Database,
  accountId: string,
  { ids, filter = {}, limit }: Wanted,
): Promise<RunRecord[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<RunRow[]>`
    select ${runColumns} from ${runSourcesOf(Prisma.sql`${[...ids]}::uuid[]`)}
    where ${matchesRun(db, accountId, filter)}
    order by r.id desc limit ${limit}::int`;
  return rows.map(toRunRecord);
}

/** Conditions on `runSources` that no index covers, and the account. */
export function matchesRun(db: SqlStatements, accountId: string, filter: RunFilter): Prisma.Sql {
  const { ids, hookId, actionId, subscriptionId, eventId, recipient, status, reason, q } = filter;
  const conditions = [
    Prisma.sql`r.account_id = ${accountId}::uuid and ${isOfLiveOwner}`,
    ...(ids === undefined ? [] : [Prisma.sql`r.id = any (${ids.filter(isId)}::uuid[])`]),
    ...(hookId === undefined ? [] : [Prisma.sql`r.hook_id = ${hookId}::uuid`]),
    ...(actionId === undefined
      ? []
      : [Prisma.sql`r.target_id = ${actionId}::uuid and r.hook_id is not null`]),
    ...(subscriptionId === undefined
      ? []
      : [Prisma.sql`r.target_id = ${subscriptionId}::uuid and r.hook_id is null`]),
    ...(eventId === undefined ? [] : [Prisma.sql`r.event_id = ${eventId}::uuid`]),
    ...(recipient === undefined
      ? []
      : [Prisma.sql`r.hook_id is null and s.recipient = ${recipient}`]),
    ...(status === undefined ? [] : [Prisma.sql`${runStatusSql} = ${status}`]),
    ...(reason === undefined ? [] : [matchesReason(reason)]),
    ...(q === undefined ? [] : [contains(db, q)]),
  ];
  return Prisma.join(conditions, " and ");
}

function matchesReason(code: string): Prisma.Sql {
  return code === unknownReason
    ? Prisma.sql`r.reason_code is null`
    : Prisma.sql`r.reason_code = ${code}`;
}

/** With masked fields, sentences aren't searched, because they may quote a payload. */
function contains(db: SqlStatements, q: string): Prisma.Sql {
  const reason = hasMask(db)
    ? Prisma.sql`r.reason_code`
    : Prisma.sql`concat_ws(': ', r.reason_code, r.reason_detail)`;
  return Prisma.sql`(
    strpos(lower(${reason}), lower(${q})) > 0
    or exists (
      select from (select event_id, event_type from deliveries where id = r.delivery_id limit 1) d
      where strpos(lower(coalesce(d.event_id, '')), lower(${q})) > 0 or strpos(lower(coalesce(d.event_type, '')), lower(${q})) > 0
    )
    or exists (
      select from (select public_id, type from events where id = r.event_id limit 1) e
      where strpos(lower(e.public_id), lower(${q})) > 0 or strpos(e.type, lower(${q})) > 0
    )
  )`;
}

const maxScanned = 2_000;
/**
 * The maximum number of runs searched for text. Each run and its delivery are looked up, in nine
 * buffers.
 */
const maxSearched = 500;
