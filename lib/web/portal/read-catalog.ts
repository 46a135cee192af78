import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { findPublicCatalog, readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { listEventTypes } from "#lib/db/event-types/event-types.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

const maxTypes = 500;

/** The event types of an account as its customers see them, by name. */
export async function readCatalogOf(db: Database, accountId: string) {
  const { items } = await listEventTypes(db, accountId, {}, { limit: maxTypes });
  return items.map(({ name, description, deprecated, schema, example }) => ({
    name,
    description,
    deprecated,
    schema: writeJson(schema),
    example: writeJson(example),
  }));
}

/** The catalog that an account shows to everyone. Null: it has none, or keeps it to itself. */
export async function readPublicCatalog(db: Database, slug: string) {
  const account = await findPublicCatalog(db, slug);
  if (account === null) return null;
  const [settings, entries] = await Promise.all([
    readSenderSettings(db, account.accountId),
    readCatalogOf(db, account.accountId),
  ]);
  return { name: settings.portalName ?? account.accountName, settings, entries };
}

function writeJson(value: JsonValue): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  return written.ok ? written.text : null;
}
