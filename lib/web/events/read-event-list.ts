import type { z } from "zod";
import { eventQuerySchema } from "#lib/schema/send/event-query.ts";
import { type EventRecord, listEvents, readEventParts } from "#lib/services/events/read-events.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toBodyStart } from "#lib/web/deliveries/delivery-body.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { describeSearch, type Resume, searchList } from "#lib/web/request/search-list.ts";

/**
 * A page of events for a URL.
 *
 * @param resume only what the page finds after this
 */
export async function readEventList(
  context: ServiceContext,
  params: SearchParams,
  resume?: Resume,
) {
  const nowMs = context.now().getTime();
  const query = readEventQuery(params, nowMs);
  const { values, problems } = query;
  const page = await searchList(context, listEvents, { query, isScan: values.q !== "", resume });
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    events: await toEventViews(context, page.items),
    links: pageLinks("/events", query, page.nextCursor),
    search: describeSearch(page, { list: "events", hookId: null, query }),
  };
}

/** The latest events, of one recipient or of all. */
export async function readLatestEvents(
  context: ServiceContext,
  query: z.input<typeof listEvents.input>,
) {
  const { items, nextCursor } = await listEvents(context, query);
  return { items: await toEventViews(context, items), isMore: nextCursor !== null };
}

async function toEventViews(context: ServiceContext, events: readonly EventRecord[]) {
  const ids = events.map(({ internalId }) => internalId);
  const { sends, starts } = await readEventParts(context, { ids });
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

const names = ["q", "type", "recipient"] as const;

/** The filters of a list of events, as in its URL. */
export function readEventQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names, schema: eventQuerySchema, nowMs });
}
