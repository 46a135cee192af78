import { getEventType, listEventTypeRows, listKnownTypes } from "#lib/services/event-types.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";

const maxUnlisted = 20;

/** A page of the catalog for a URL, and what is published without being in it. */
export async function readEventTypeList(context: ServiceContext, params: SearchParams) {
  const place = { path: "/event-types", names: ["q" as const], params };
  const [{ items, ...list }, known] = await Promise.all([
    readList(context, listEventTypeRows, place),
    listKnownTypes(context, {}),
  ]);
  const listed = new Set(items.map(({ name }) => name));
  const { older, newest } = list.links;
  const isWhole = older === null && newest === null && list.values.q === "";
  return {
    ...list,
    types: items.map(({ name, description, schema, deprecated, onMismatch, ...type }) => ({
      name,
      ...(description !== null && { description }),
      ...(deprecated && { isDeprecated: true as const }),
      ...(schema !== null && { check: onMismatch }),
      subscribers: type.subscribers,
      events: type.events,
      at: type.updatedAt.getTime(),
    })),
    unlisted: isWhole ? known.filter((type) => !listed.has(type)).slice(0, maxUnlisted) : [],
  };
}

/** An event type of the catalog, for its form. Throws `not_found`. */
export async function readEventTypePage(context: ServiceContext, name: string) {
  const { schema, example, ...type } = await getEventType(context, { name });
  return {
    name,
    description: type.description ?? "",
    schema: toText(schema),
    example: toText(example),
    deprecated: type.deprecated,
    onMismatch: type.onMismatch,
  };
}

/** A schema or an example as it is edited. Empty: none. */
export function toText(value: unknown): string {
  return value === null ? "" : JSON.stringify(value, null, 2);
}
