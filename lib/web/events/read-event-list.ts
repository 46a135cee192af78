import type { PageRequest } from "#lib/core/api/page.ts";
import type { EventRecord } from "#lib/db/events/event-record.ts";
import { type EventFilter, listEvents } from "#lib/db/events/list-events.ts";
import { countSends, readEventStarts } from "#lib/db/events/list-parts.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toBodyStart } from "#lib/web/deliveries/body-start.ts";
import { readEventQuery } from "#lib/web/events/read-event-query.ts";
import { describeSearch } from "#lib/web/request/describe-search.ts";
import { fillPage, type Resume } from "#lib/web/request/fill-page.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-page.ts";

const pageSize = 50;

/**
 * A page of events for a URL.
 *
 * @param resume only what the page finds after this
 */
export async function readEventList(
  context: ServiceContext,
  accountId: string,
  params: SearchParams,
  resume?: Resume,
) {
  const { db } = context;
  const nowMs = Date.now();
  const query = readEventQuery(params, nowMs);
  const { values, problems, filter } = query;
  const limit = pageSize - (resume?.count ?? 0);
  const cursor = resume?.cursor ?? query.cursor;
  const read = (page: PageRequest) => listEvents(db, accountId, filter, page);
  const isSearch = filter.q !== undefined || resume !== undefined;
  const page = await readPage(problems, () =>
    isSearch ? fillPage(read, { limit, cursor }, resume?.signal) : read({ limit, cursor }),
  );
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    events: await toEventViews(context, accountId, page.items),
    links: pageLinks("/events", query, page.nextCursor),
    search: describeSearch({ ...page, limit }, { list: "events", hookId: null, query }),
  };
}

/** The latest events, of one recipient or of all. */
export async function readLatestEvents(
  context: ServiceContext,
  accountId: string,
  filter: EventFilter,
  limit: number,
) {
  const { items, nextCursor } = await listEvents(context.db, accountId, filter, { limit });
  return { items: await toEventViews(context, accountId, items), isMore: nextCursor !== null };
}

async function toEventViews(
  { db }: ServiceContext,
  accountId: string,
  events: readonly EventRecord[],
) {
  const ids = events.map(({ internalId }) => internalId);
  const [sends, starts] = await Promise.all([
    countSends(db, accountId, ids),
    readEventStarts(db, accountId, ids),
  ]);
  return events.map(({ id, internalId, type, recipient, createdAt, isTest, warning }) => ({
    id: internalId,
    publicId: id,
    type,
    recipient,
    createdAt,
    isTest,
    warning,
    dataStart: dataStart(starts.get(internalId)),
    sends: sends.get(internalId) ?? [],
  }));
}

/** The body starts with fields that the list shows already. */
function dataStart(start: Uint8Array | undefined): string {
  const text = start === undefined ? "" : (toBodyStart(start) ?? "");
  const [, data = ""] = /"timestamp":"[^"]*","data":(.*)$/s.exec(text) ?? [];
  return data.replace(/\}$/, "");
}
