import { getEventType, listEventTypes } from "#lib/db/event-types/event-types.ts";
import { readTypeFigures } from "#lib/db/event-types/type-figures.ts";
import { listKnownTypes } from "#lib/db/events/known-types.ts";
import { eventTypeQuerySchema } from "#lib/schema/sender/event-type.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-page.ts";

const pageSize = 100;
const names = ["q"] as const;
const maxUnlisted = 20;
/** The time over which the events of a type are counted. */
const countedMs = 7 * 86_400_000;

/** A page of the catalog for a URL, and what is published without being in it. */
export async function readEventTypeList(
  { db }: ServiceContext,
  accountId: string,
  params: SearchParams,
) {
  const nowMs = Date.now();
  const query = readListQuery(params, { names, schema: eventTypeQuerySchema, nowMs });
  const { values, problems, filter, cursor } = query;
  const [page, published] = await Promise.all([
    readPage(problems, () => listEventTypes(db, accountId, filter, { limit: pageSize, cursor })),
    listKnownTypes(db, accountId, pageSize),
  ]);
  const figures = await readTypeFigures(
    db,
    accountId,
    page.items.map(({ name }) => name),
    nowMs - countedMs,
  );
  const listed = new Set(page.items.map(({ name }) => name));
  const isWhole = page.nextCursor === null && cursor === undefined && values.q === "";
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: values.q !== "",
    types: page.items.map(({ name, description, schema, deprecated, onMismatch, updatedAt }) => ({
      name,
      ...(description !== null && { description }),
      ...(deprecated && { isDeprecated: true as const }),
      ...(schema !== null && { check: onMismatch }),
      ...(figures.get(name) ?? { subscribers: 0, events: 0 }),
      at: updatedAt.getTime(),
    })),
    unlisted: isWhole ? published.filter((type) => !listed.has(type)).slice(0, maxUnlisted) : [],
    links: pageLinks("/event-types", query, page.nextCursor),
  };
}

/** An event type of the catalog, for its form. Throws `not_found`. */
export async function readEventTypePage({ db }: ServiceContext, accountId: string, name: string) {
  const { schema, example, description, deprecated, onMismatch } = await getEventType(
    db,
    accountId,
    name,
  );
  return {
    name,
    description: description ?? "",
    schema: toText(schema),
    example: toText(example),
    deprecated,
    onMismatch,
  };
}

/** A schema or an example as it is edited. Empty: none. */
export function toText(value: unknown): string {
  return value === null ? "" : JSON.stringify(value, null, 2);
}
