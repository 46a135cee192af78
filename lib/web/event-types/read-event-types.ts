import { AppError } from "#lib/base/errors.ts";
import { listEventTypeVersions } from "#lib/services/event-type-versions.ts";
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

/** An event type of the catalog for its form, with its versions. Throws `not_found`. */
export async function readEventTypePage(context: ServiceContext, name: string) {
  const [{ schema, example, ...type }, versions] = await Promise.all([
    getEventType(context, { name }),
    listEventTypeVersions(context, { name }),
  ]);
  return {
    nowMs: context.now().getTime(),
    stored: {
      name,
      description: type.description ?? "",
      schema: toText(schema),
      example: toText(example),
      deprecated: type.deprecated,
      onMismatch: type.onMismatch,
    },
    // Each has a page with its schema, which may be large.
    versions: versions.map(({ version, isNewest, note, breaking, ...rest }, index) => ({
      version,
      isNewest,
      note,
      breaking,
      before: versions[index + 1]?.version ?? null,
      subscribers: rest.subscribers,
      createdAt: rest.createdAt,
      endsAt: rest.endsAt,
    })),
  };
}

/** A version of an event type, for its page. Throws `not_found`. */
export async function readVersionPage(context: ServiceContext, name: string, wanted: string) {
  const versions = await listEventTypeVersions(context, { name });
  const index = versions.findIndex(({ version }) => version === wanted);
  const found = versions[index];
  if (found === undefined) throw new AppError("not_found", "This event type has no such version.");
  const { schema, example, ...version } = found;
  return {
    ...version,
    nowMs: context.now().getTime(),
    schema: toText(schema),
    example: toText(example),
    before: versions[index + 1]?.version ?? null,
    next: versions[index - 1]?.version ?? null,
  };
}

/** A schema or an example as it is edited. Empty: none. */
export function toText(value: unknown): string {
  return value === null ? "" : JSON.stringify(value, null, 2);
}
