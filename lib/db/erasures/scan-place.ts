import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { Place } from "./places.ts";

/** The primary key of a row, as texts. */
export type RowKey = readonly string[];

export type PlaceRow = {
  readonly key: RowKey;
  /** By column. Null: it has none, or the row is of another account. */
  readonly values: Readonly<Record<string, string | Uint8Array | null>>;
};

/** The next rows of a place. More in one batch would keep the thread busy for too long. */
const batch = { rows: 500, bytes: 4 * 1024 * 1024 } as const;

type PlaceBatch = { readonly rows: readonly PlaceRow[]; readonly isAtEnd: boolean };

/**
 * Reads the rows of an account after a key, in the order of their keys, until they have some megabytes.
 * Locks nothing. Only names of tables and columns from `places.ts` are part of the statement.
 */
export async function readPlace(
  db: SqlStatements,
  place: Place,
  accountId: string,
  after: RowKey | null,
): Promise<PlaceBatch> {
  const keys = namesOf(place);
  const isOurs = place.isOurs(accountId);
  const conditions = [
    ...(after === null ? [] : [Prisma.sql`(${keys}) > (${keyValues(place, after)})`]),
    ...(place.walksAll ? [] : [isOurs]),
  ];
  const where = conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ");
  const rows = await db.$queryRaw<Record<string, string | Uint8Array | number | null>[]>`
    select ${Prisma.join(place.keys.map(({ name }) => Prisma.raw(`"${name}"::text as "key ${name}"`)))},
      ${Prisma.join(place.columns.map((column) => Prisma.raw(`case when is_ours then ${readColumn(column)} end as "${column.name}"`)))},
      scanned
    from (
      select *, sum(size) over (order by ${keys}) - size as before, (count(*) over ())::int as scanned
      from (
        select *, ${isOurs} as is_ours, case when ${isOurs} then ${sizeOf(place)} else 0 end as size
        from ${Prisma.raw(place.table)} where ${where} order by ${keys} limit ${batch.rows}::int
      ) next
    ) sized
    where before < ${batch.bytes}::bigint order by ${keys}`;
  const scanned = Number(rows[0]?.scanned ?? 0);
  return {
    rows: rows.map((row) => toRow(place, row)),
    isAtEnd: rows.length === scanned && scanned < batch.rows,
  };
}

/** Locks a row until the transaction ends, and reads it again. Null: it is gone. */
export async function lockRow(
  tx: SqlStatements,
  place: Place,
  key: RowKey,
): Promise<PlaceRow | null> {
  const [row] = await tx.$queryRaw<Record<string, string | Uint8Array | null>[]>`
    select ${Prisma.join(place.keys.map(({ name }) => Prisma.raw(`"${name}"::text as "key ${name}"`)))},
      ${Prisma.join(place.columns.map((column) => Prisma.raw(`${readColumn(column)} as "${column.name}"`)))}
    from ${Prisma.raw(place.table)} where (${namesOf(place)}) = (${keyValues(place, key)}) for update`;
  return row === undefined ? null : toRow(place, row);
}

/** Replaces columns of a row. The size of a delivery's body follows. */
export async function changeRow(
  tx: SqlStatements,
  place: Place,
  key: RowKey,
  changed: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const columns = place.columns.filter(({ name }) => Object.hasOwn(changed, name));
  const sets = columns.map(({ name, kind }) => {
    const value = changed[name];
    const typed = kind === "json" ? Prisma.sql`${value}::json` : Prisma.sql`${value}`;
    return Prisma.sql`${Prisma.raw(`"${name}"`)} = ${typed}`;
  });
  const { body } = changed;
  if (place.table === "deliveries" && body !== undefined)
    sets.push(Prisma.sql`body_size = ${body.length}::int`);
  await tx.$executeRaw`
    update ${Prisma.raw(place.table)} set ${Prisma.join(sets)}
    where (${namesOf(place)}) = (${keyValues(place, key)})`;
}

export async function removeRow(tx: SqlStatements, place: Place, key: RowKey): Promise<void> {
  await tx.$executeRaw`
    delete from ${Prisma.raw(place.table)} where (${namesOf(place)}) = (${keyValues(place, key)})`;
}

function toRow(place: Place, row: Readonly<Record<string, unknown>>): PlaceRow {
  return {
    key: place.keys.map(({ name }) => String(row[`key ${name}`])),
    values: Object.fromEntries(
      place.columns.map(({ name }) => [name, (row[name] ?? null) as string | Uint8Array | null]),
    ),
  };
}

function namesOf({ keys }: Place): Prisma.Sql {
  return Prisma.join(keys.map(({ name }) => Prisma.raw(`"${name}"`)));
}

function keyValues({ keys }: Place, key: RowKey): Prisma.Sql {
  return Prisma.join(
    keys.map(({ type }, at) => Prisma.sql`${key[at] ?? ""}::text::${Prisma.raw(type)}`),
  );
}

/** JSON is text: PostgreSQL can't read `\u0000` within JSON, and stores it. */
function readColumn({ name, kind }: Place["columns"][number]): string {
  if (kind === "list") return `array_to_string("${name}", ' ')`;
  return kind === "json" ? `"${name}"::text` : `"${name}"`;
}

/** Neither function reads a value that is stored outside of its row. */
function sizeOf({ columns }: Place): Prisma.Sql {
  const sizes = columns.map(({ name, kind }) => {
    const measure = kind === "text" || kind === "bytes" ? "octet_length" : "pg_column_size";
    return Prisma.raw(`coalesce(${measure}("${name}"), 0)`);
  });
  return Prisma.join(sizes, " + ");
}
