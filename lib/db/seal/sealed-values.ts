import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A column of sealed values: see `lib/core/people/seal/sealed-columns.ts`. */
type SealedColumn = {
  readonly table: string;
  readonly column: string;
  readonly keys: readonly string[];
  readonly others: readonly string[];
};

/** A sealed value, with the columns that say where it is. */
export type SealedValue = {
  readonly row: Readonly<Record<string, string | null>>;
  readonly sealed: Uint8Array;
};

/** The id of the key is stored in front of each value: its length, and then the id. */
function keyIdOf(column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`substring(${column} from 3 for get_byte(${column}, 1))`;
}

/** Lists some values that this key sealed. */
export async function listSealed(
  db: SqlStatements,
  { table, column, keys, others }: SealedColumn,
  keyId: string,
  limit: number,
): Promise<SealedValue[]> {
  const names = [...keys, ...others];
  const pairs = names.map((name) => Prisma.sql`${name}::text, ${Prisma.raw(name)}::text`);
  const value = Prisma.raw(column);
  const rows = await db.$queryRaw<{ row: SealedValue["row"]; sealed: string }[]>`
    select json_build_object(${Prisma.join(pairs)}) as row, encode(${value}, 'base64') as sealed
    from ${Prisma.raw(table)}
    where length(${value}) > 2 and ${keyIdOf(value)} = convert_to(${keyId}, 'UTF8')
    limit ${limit}`;
  return rows.map(({ row, sealed }) => ({ row, sealed: Buffer.from(sealed, "base64") }));
}

/** Counts the values of keys other than this one. */
export async function countSealedOtherwise(
  db: SqlStatements,
  { table, column }: SealedColumn,
  keyId: string,
): Promise<number> {
  const value = Prisma.raw(column);
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from ${Prisma.raw(table)}
    where length(${value}) > 2 and ${keyIdOf(value)} <> convert_to(${keyId}, 'UTF8')`;
  return row?.count ?? 0;
}

/**
 * Replaces a value, unless it has been changed since it was read.
 *
 * @returns false if it was
 */
export async function replaceSealed(
  db: SqlStatements,
  { table, column, keys }: SealedColumn,
  { row, sealed }: SealedValue,
  resealed: Uint8Array,
): Promise<boolean> {
  const value = Prisma.raw(column);
  const conditions = keys.map((key) => Prisma.sql`${Prisma.raw(key)} = ${row[key]}::uuid`);
  const changed = await db.$executeRaw`
    update ${Prisma.raw(table)} set ${value} = ${resealed}
    where ${Prisma.join(conditions, " and ")} and ${value} = ${sealed}`;
  return changed > 0;
}
