import { z } from "zod";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { findPublicCatalog, readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import {
  eventTypeNotFound,
  listCatalog as findCatalog,
  findEventType,
} from "#lib/db/event-types/event-types.ts";
import { listKnownTypes as findKnownTypes } from "#lib/db/events/known-types.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** The event types that the account sends, by name. */
export const listCatalog = service({
  permission: "subscriptions:read",
  input: noFields,
  portalInput: noFields,
  run: ({ db, actor }) => findCatalog(db, actor.accountId),
});

/** The maximum in a list to choose from. A longer list is of no help. */
const maxKnown = 300;

/** Event types to offer: those in the catalog, and those that were published. */
export const listKnownTypes = service({
  permission: "subscriptions:read",
  input: noFields,
  run: ({ db, actor }) => findKnownTypes(db, actor.accountId, maxKnown),
});

const byName = z.strictObject({ name: recordId });

/** One of them, with its example and its schema. Throws `not_found`. */
export const getCatalogType = service({
  permission: "subscriptions:read",
  input: byName,
  portalInput: byName,
  run: async (context, { name }) => {
    const type = await readCatalogType(context, context.actor.accountId, name);
    if (type === null) throw eventTypeNotFound();
    return type;
  },
});

/** An event type of the catalog as the account's customers see it. Null: it isn't in it. */
export async function readCatalogType({ db }: ServiceParts, accountId: string, name: string) {
  const type = await findEventType(db, accountId, name);
  if (type === null) return null;
  const { description, deprecated, schema, example } = type;
  return { name, description, deprecated, schema: writeJson(schema), example: writeJson(example) };
}

/** The catalog that an account shows to everyone. Null: it has none, or keeps it to itself. */
export async function readPublicCatalog({ db }: ServiceParts, slug: string) {
  const account = await findPublicCatalog(db, slug);
  if (account === null) return null;
  const { accountId, accountName } = account;
  const [settings, entries] = await Promise.all([
    readSenderSettings(db, accountId),
    findCatalog(db, accountId),
  ]);
  return { accountId, name: settings.portalName ?? accountName, settings, entries };
}

function writeJson(value: JsonValue): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  return written.ok ? written.text : null;
}
