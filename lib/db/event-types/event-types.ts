import { AppError } from "#lib/base/errors.ts";
import type { Page, PageRequest } from "#lib/core/api/page.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { decodeNameCursor, encodeNameCursor } from "#lib/db/postgres/name-cursor.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import {
  type EventTypeInput,
  eventTypeName,
  type MismatchRule,
} from "#lib/schema/send/event-type.ts";

/** An entry of the catalog. */
export type EventTypeRecord = {
  readonly name: string;
  readonly description: string | null;
  /** The JSON Schema of `data`. Null: any data is valid. */
  readonly schema: JsonValue;
  readonly example: JsonValue;
  readonly deprecated: boolean;
  readonly onMismatch: MismatchRule;
  /** The newest version, which schema and example are of: `first`, or a date. */
  readonly version: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type NamedEventType = EventTypeInput & { readonly name: string };

type EventTypeRow = Omit<EventTypeRecord, "schema" | "example"> & {
  readonly schema: string | null;
  readonly example: string | null;
};

const columns = Prisma.sql`
  name, description, schema::text as schema, example::text as example, deprecated, on_mismatch as "onMismatch", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Throws `not_found`. */
export async function getEventType(
  db: SqlStatements,
  accountId: string,
  name: string,
): Promise<EventTypeRecord> {
  const found = await findEventType(db, accountId, name);
  if (found === null) throw eventTypeNotFound();
  return found;
}

/** Null: it isn't in the catalog. */
export async function findEventType(
  db: SqlStatements,
  accountId: string,
  name: string,
): Promise<EventTypeRecord | null> {
  if (!eventTypeName.safeParse(name).success) return null;
  const [row] = await db.$queryRaw<EventTypeRow[]>`
    select ${columns} from event_types where account_id = ${accountId}::uuid and name = ${name}`;
  return row === undefined ? null : toRecord(row);
}

type CatalogEntry = Pick<EventTypeRecord, "name" | "description" | "deprecated">;

/** All entries of the catalog, by name, without their schemas. An account has at most 2,000. */
export async function listCatalog(
  db: Database,
  accountId: string,
): Promise<readonly CatalogEntry[]> {
  return await db.eventType.findMany({
    where: { accountId },
    select: { name: true, description: true, deprecated: true },
    orderBy: { name: "asc" },
  });
}

/** Lists entries, sorted by name. */
export async function listEventTypes(
  db: SqlStatements,
  accountId: string,
  { q }: { readonly q?: string | undefined },
  page: PageRequest,
): Promise<Page<EventTypeRecord>> {
  const rows = await db.$queryRaw<EventTypeRow[]>`
    select ${columns} from event_types
    where account_id = ${accountId}::uuid and name > ${decodeNameCursor(page.cursor)}
      and (${q ?? null}::text is null or strpos(lower(name || ' ' || coalesce(description, '')), lower(${q ?? null})) > 0)
    order by name limit ${page.limit + 1}::int`;
  const items = rows.slice(0, page.limit).map(toRecord);
  const end = rows.length > page.limit ? items.at(-1)?.name : undefined;
  return { items, nextCursor: end === undefined ? null : encodeNameCursor(end) };
}

/** Creates entries of the catalog, or replaces them. */
export async function upsertEventTypes(
  tx: Transaction,
  accountId: string,
  entries: readonly NamedEventType[],
): Promise<void> {
  for (const { name, description, schema, example, deprecated, onMismatch } of entries)
    await tx.$executeRaw`
      insert into event_types (account_id, name, description, schema, example, deprecated, on_mismatch)
      values (${accountId}::uuid, ${name}, ${description || null}, ${toJsonText(schema)}::json, ${toJsonText(example)}::json,
        ${deprecated}, ${onMismatch})
      on conflict (account_id, name) do update set
        description = excluded.description, schema = excluded.schema, example = excluded.example,
        deprecated = excluded.deprecated, on_mismatch = excluded.on_mismatch, updated_at = now()`;
}

/** The number of entries in the catalog. */
export async function countEventTypes(tx: Transaction, accountId: string): Promise<number> {
  return await tx.eventType.count({ where: { accountId } });
}

/** Removes an entry. Published events keep their type. Returns false if there is no such entry. */
export async function removeEventType(
  db: Database | Transaction,
  accountId: string,
  name: string,
): Promise<boolean> {
  if (!eventTypeName.safeParse(name).success) return false;
  const { count } = await db.eventType.deleteMany({ where: { accountId, name } });
  return count > 0;
}

export function eventTypeNotFound(): AppError {
  return new AppError("not_found", "There is no event type with this name in the catalog.");
}

function toRecord({ schema, example, ...row }: EventTypeRow): EventTypeRecord {
  return { ...row, schema: readJson(schema), example: readJson(example) };
}

export function readJson(text: string | null): JsonValue {
  if (text === null) return null;
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(`A stored event type can't be read: ${parsed.message}`);
  return parsed.value as JsonValue;
}

export function toJsonText(value: JsonValue): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  if (!written.ok)
    throw new AppError("invalid_request", `The event type can't be stored: ${written.message}.`);
  return written.text;
}
