import {
  deleteEventType,
  getEventType,
  listEventTypes,
  putEventTypes,
} from "#lib/db/event-types/event-types.ts";
import {
  eventTypeImportSchema,
  eventTypeQuerySchema,
  eventTypeSchema,
} from "#lib/schema/sender/event-type.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { readEventTypes, requireUsableSchema } from "#lib/web/services/check-event-schema.ts";
import { showEventType } from "#lib/web/views/sender/show-event-type.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const getEventTypes = endpoint({
  scope: "subscriptions:read",
  query: eventTypeQuerySchema,
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listEventTypes(db, accountId, query, query), showEventType),
});

export const getOneEventType = endpoint({
  scope: "subscriptions:read",
  handle: async ({ context: { db }, accountId, id: name }) =>
    showEventType(await getEventType(db, accountId, name)),
});

export const putOneEventType = endpoint({
  scope: "subscriptions:write",
  body: eventTypeSchema,
  exactNumbers: true,
  handle: async ({ context: { db }, accountId, id: name, body }) => {
    await requireUsableSchema(accountId, body.schema);
    await putEventTypes(db, accountId, [{ ...body, name }]);
    return showEventType(await getEventType(db, accountId, name));
  },
});

export const removeEventType = endpoint({
  scope: "subscriptions:write",
  status: 204,
  handle: ({ context: { db }, accountId, id: name }) => deleteEventType(db, accountId, name),
});

/** Replaces what has the same name. `skipped` says what can't be used, and why. */
export const postEventTypeImport = endpoint({
  scope: "subscriptions:write",
  body: eventTypeImportSchema,
  handle: async ({ context: { db }, accountId, body: { document } }) => {
    const { entries, skipped } = await readEventTypes(accountId, document);
    await putEventTypes(db, accountId, entries);
    return { imported: entries.map(({ name }) => name), skipped };
  },
});
