import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { findPublicCatalog, readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { findEventType, listCatalog } from "#lib/db/event-types/event-types.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** An event type of the catalog as the account's customers see it. Null: it isn't in it. */
export async function readCatalogType(db: Database, accountId: string, name: string) {
  const type = await findEventType(db, accountId, name);
  if (type === null) return null;
  const { description, deprecated, schema, example } = type;
  return { name, description, deprecated, schema: writeJson(schema), example: writeJson(example) };
}

/** The catalog that an account shows to everyone. Null: it has none, or keeps it to itself. */
export async function readPublicCatalog(db: Database, slug: string) {
  const account = await findPublicCatalog(db, slug);
  if (account === null) return null;
  const { accountId, accountName } = account;
  const [settings, entries] = await Promise.all([
    readSenderSettings(db, accountId),
    listCatalog(db, accountId),
  ]);
  return { accountId, name: settings.portalName ?? accountName, settings, entries };
}

function writeJson(value: JsonValue): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  return written.ok ? written.text : null;
}
