import { type IdSpan, idTime } from "#lib/core/api/page.ts";
import { toSearchTerms } from "#lib/core/mapping/compare/field-terms.ts";
import { readPayloadSearch } from "#lib/core/mapping/compare/payload-search.ts";
import { hasMask } from "#lib/db/masking/masked-database.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { type DeliveryStatus, deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { idAfter } from "./index-fields.ts";

/** A search for a value in hooks whose fields are indexed. */
export type FieldSearch = {
  readonly hookIds: readonly string[];
  readonly terms: readonly number[];
  /** Deliveries with smaller ids are indexed, of all of the hooks. */
  readonly coveredUntil: string;
};

/** The maximum number of hooks that are searched together. */
const maxHooks = 200;

/**
 * Null: the text isn't `path = value`, its value isn't indexed, or not all of these hooks have an
 * index.
 */
export async function readFieldSearch(
  db: Database,
  hookIds: readonly string[],
  text: string,
): Promise<FieldSearch | null> {
  const search = readPayloadSearch(text);
  if (search === null || hookIds.length === 0 || hookIds.length > maxHooks) return null;
  const terms = toSearchTerms(hookIds, search);
  if (terms === null) return null;
  const cursors = await db.fieldSearchCursor.findMany({
    where: { hookId: { in: [...hookIds] }, hook: { fieldSearch: true } },
    select: { coveredUntil: true },
  });
  const [coveredUntil] = cursors.map((cursor) => cursor.coveredUntil).sort();
  if (coveredUntil === undefined || cursors.length < hookIds.length) return null;
  return { hookIds, terms, coveredUntil };
}

/**
 * The time up to which a hook's deliveries are indexed. Null: they aren't, or the text is no search for
 * a value.
 */
export async function readIndexedUntil(
  db: Database,
  accountId: string,
  hookId: string,
  text: string,
): Promise<Date | null> {
  if (readPayloadSearch(text) === null || hasMask(db)) return null;
  const cursor = await db.fieldSearchCursor.findFirst({
    where: { hookId, hook: { accountId, fieldSearch: true, deletedAt: null } },
    select: { coveredUntil: true },
  });
  return cursor === null ? null : new Date(idTime(cursor.coveredUntil));
}

/** Deliveries that may have the value, newest first. `end`: others may follow before this id. */
export type Candidates = {
  readonly ids: readonly { readonly id: string }[];
  readonly end: string | null;
};

/** Rows of the index that are read in one go, and how many of them at a time: few are usually enough. */
const groupSizes = [8, 32, 88] as const;
const maxRows = groupSizes.reduce((sum, size) => sum + size, 0);

type TermRow = { readonly firstId: string; readonly lastId: string; readonly hookId: string };

/**
 * Finds deliveries that may have a value, some at a time. Rows of several hooks overlap, so a delivery
 * waits until no later row can have a newer one.
 */
export async function* findCandidates(
  db: Database,
  search: FieldSearch,
  span: IdSpan,
  status: DeliveryStatus | undefined,
): AsyncGenerator<Candidates> {
  const rows = await findRows(db, search, span);
  const statuses = status === undefined ? deliveryStatuses : [status];
  let waiting: readonly string[] = [];
  let at = 0;
  for (const size of groupSizes) {
    if (at >= rows.length) return;
    const found = await listIds(db, rows.slice(at, at + size), span, statuses);
    at += size;
    const next = rows[at]?.lastId;
    const ids = [...waiting, ...found].sort().reverse();
    const isComplete = (id: string) => next === undefined || id > next;
    waiting = ids.filter((id) => !isComplete(id));
    yield {
      ids: ids.filter(isComplete).map((id) => ({ id })),
      end: next === undefined ? null : idAfter(next),
    };
  }
}

/**
 * The rows with one of the terms, those with the newest deliveries first. Each week's index says which
 * they are, however many there are, and a row is small without its terms. The planner would rather
 * read all rows, since it doesn't count what reading their terms costs.
 */
async function findRows(
  db: Database,
  { hookIds, terms }: FieldSearch,
  span: IdSpan,
): Promise<readonly TermRow[]> {
  const { firstWeek, endWeek } = toWeeks(span);
  return await db.$transaction(async (tx) => {
    await tx.$executeRaw`set local enable_seqscan = off`;
    return await tx.$queryRaw<TermRow[]>`
      with found as materialized (
        select id, last_id, hook_id from delivery_terms
        where terms && ${[...terms]}::int[] and id >= ${firstWeek}::uuid and id < ${endWeek}::uuid
      )
      select id as "firstId", last_id as "lastId", hook_id as "hookId" from found
      where hook_id = any (${[...hookIds]}::uuid[]) and id < ${span.end}::uuid and last_id >= ${span.first}::uuid
      order by last_id desc limit ${maxRows + 1}::int`;
  });
}

/** The deliveries of rows, and those between them that came late. The bounds of whole weeks are as in the lists. */
async function listIds(
  db: Database,
  rows: readonly TermRow[],
  { first, end }: IdSpan,
  statuses: readonly string[],
): Promise<readonly string[]> {
  const firsts = rows.map(({ firstId }) => (firstId < first ? first : firstId));
  const lasts = rows.map(({ lastId }) => lastId);
  const span = {
    first: firsts.toSorted()[0] ?? first,
    end: idAfter(lasts.toSorted().at(-1) ?? end),
  };
  const { firstWeek, endWeek } = toWeeks(span);
  const found = await db.$queryRaw<{ id: string }[]>`
    select delivery.id
    from unnest(${firsts}::uuid[], ${lasts}::uuid[], ${rows.map(({ hookId }) => hookId)}::uuid[]) as of_row(first_id, last_id, hook_id)
    cross join unnest(${[...statuses]}::text[]) as of_status(name)
    cross join lateral (
      select id from deliveries
      where (hook_id, status, id) >= (of_row.hook_id, of_status.name, of_row.first_id)
        and (hook_id, status, id) <= (of_row.hook_id, of_status.name, of_row.last_id)
        and id >= ${firstWeek}::uuid and id < ${endWeek}::uuid
      order by hook_id, status, id
    ) delivery
    where delivery.id < ${end}::uuid`;
  return found.map(({ id }) => id);
}
