import type { Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { eventTypeName } from "#lib/schema/send/event-type.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import { readJson, toJsonText } from "./event-types.ts";

/** A version of the data of an event type. */
export type TypeVersion = {
  /** `first`, or a date. */
  readonly version: string;
  readonly schema: JsonValue;
  readonly example: JsonValue;
  /** JavaScript that makes an event of this version into data of the one before. Null: it stays the same. */
  readonly transform: string | null;
  readonly note: string | null;
  readonly createdAt: Date;
  /** From then on, its subscribers get the next version. Null: it stays. */
  readonly endsAt: Date | null;
  readonly isNewest: boolean;
};

type VersionRow = Omit<TypeVersion, "schema" | "example"> & {
  readonly schema: string | null;
  readonly example: string | null;
};

/** The versions of an event type, oldest first. An empty list: it isn't in the catalog. */
export async function listTypeVersions(
  db: SqlStatements,
  accountId: string,
  name: string,
): Promise<readonly TypeVersion[]> {
  if (!eventTypeName.safeParse(name).success) return [];
  const rows = await db.$queryRaw<VersionRow[]>`
    select version, schema::text as schema, example::text as example, transform, note, created_at as "createdAt",
      ends_at as "endsAt", false as "isNewest"
    from event_type_versions where account_id = ${accountId}::uuid and name = ${name}
    union all
    select version, schema::text, example::text, transform, note, coalesce(version_at, created_at), null, true
    from event_types where account_id = ${accountId}::uuid and name = ${name}`;
  return rows
    .map((row) => ({ ...row, schema: readJson(row.schema), example: readJson(row.example) }))
    .toSorted((a, b) => compareVersions(a.version, b.version));
}

/** Orders versions, oldest first, for `sort`. */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  if (a === firstVersion || b === firstVersion) return a === firstVersion ? -1 : 1;
  return a < b ? -1 : 1;
}

type Owner = { readonly accountId: string; readonly name: string };

/** Locks an event type until the transaction ends. */
export async function lockEventType(tx: Transaction, { accountId, name }: Owner): Promise<void> {
  if (!eventTypeName.safeParse(name).success) return;
  await tx.$queryRaw`
    select from event_types where account_id = ${accountId}::uuid and name = ${name} for no key update`;
}

type NewVersion = Pick<TypeVersion, "version" | "schema" | "example" | "transform" | "note">;

/** Makes a version the newest of its type, which the caller has locked. */
export async function addTypeVersion(
  tx: Transaction,
  { accountId, name }: Owner,
  { version, schema, example, transform, note }: NewVersion,
): Promise<void> {
  await tx.$executeRaw`
    insert into event_type_versions (account_id, name, version, schema, example, transform, note, created_at)
    select account_id, name, version, schema, example, transform, note, coalesce(version_at, created_at)
    from event_types where account_id = ${accountId}::uuid and name = ${name}`;
  await tx.$executeRaw`
    update event_types set version = ${version}, schema = ${toJsonText(schema)}::json,
      example = ${toJsonText(example)}::json, transform = ${transform}, note = ${note || null},
      version_at = now(), updated_at = now()
    where account_id = ${accountId}::uuid and name = ${name}`;
}

type VersionChanges = Pick<TypeVersion, "endsAt" | "note" | "transform">;

/** Changes a version, whose data stays as it is. */
export async function changeTypeVersion(
  tx: Transaction,
  { accountId, name, version }: Owner & { readonly version: string },
  { endsAt, note, transform }: VersionChanges,
): Promise<void> {
  const text = note || null;
  await tx.$executeRaw`
    update event_types set note = ${text}, transform = ${transform}
    where account_id = ${accountId}::uuid and name = ${name} and version = ${version}`;
  await tx.$executeRaw`
    update event_type_versions set note = ${text}, transform = ${transform}, ends_at = ${endsAt}
    where account_id = ${accountId}::uuid and name = ${name} and version = ${version}`;
}

/** The newest version of all event types of an account. `first`: none has another one. */
export async function findNewestVersion(tx: SqlStatements, accountId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ version: string | null }[]>`
    select max(version) as version from event_types
    where account_id = ${accountId}::uuid and version <> ${firstVersion}`;
  return row?.version ?? firstVersion;
}

/** A version of an event type without its data. */
export type AccountVersion = Pick<TypeVersion, "version" | "note" | "endsAt"> & {
  readonly name: string;
};

/** More would make a page of them slow. An account has a few. */
const maxAccountVersions = 2_000;

/** The versions of all event types that have more than the first, oldest first for each type. */
export async function listAccountVersions(
  db: SqlStatements,
  accountId: string,
): Promise<readonly AccountVersion[]> {
  const rows = await db.$queryRaw<AccountVersion[]>`
    select name, version, note, null::timestamptz as "endsAt" from event_types
    where account_id = ${accountId}::uuid and version <> ${firstVersion}
    union all
    select name, version, note, ends_at from event_type_versions
    where account_id = ${accountId}::uuid
    order by name limit ${maxAccountVersions}::int`;
  return rows.toSorted((a, b) => compareVersions(a.version, b.version));
}

/** The schemas of some versions of event types. */
export async function readVersionSchemas(
  db: SqlStatements,
  accountId: string,
  versions: readonly Pick<AccountVersion, "name" | "version">[],
): Promise<readonly { name: string; version: string; schema: JsonValue }[]> {
  if (versions.length === 0) return [];
  const names = versions.map(({ name }) => name);
  const wanted = versions.map(({ version }) => version);
  const rows = await db.$queryRaw<{ name: string; version: string; schema: string | null }[]>`
    select name, version, schema::text as schema from (
      select account_id, name, version, schema from event_types
      union all select account_id, name, version, schema from event_type_versions
    ) stored
    where account_id = ${accountId}::uuid
      and (name, version) in (select * from unnest(${names}::text[], ${wanted}::text[]))`;
  return rows.map((row) => ({ ...row, schema: readJson(row.schema) }));
}
