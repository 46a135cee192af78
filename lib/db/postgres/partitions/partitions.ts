import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** Every table that has a partition for each week. */
export const weeklyTables = [
  "deliveries",
  "runs",
  "attempts",
  "run_steps",
  "events",
  "answers",
  "delivery_terms",
] as const;
export type Partitioned = (typeof weeklyTables)[number];

/**
 * Creates the weekly partitions of the next four weeks. Cheap if they exist. Run it at start and
 * every hour.
 */
export async function ensurePartitions(db: SqlDatabase): Promise<void> {
  for (const table of weeklyTables) {
    await db.$queryRaw`select ensure_weekly_partitions(${table}, now(), now() + interval '28 days')`;
  }
}

/** One partition of a table. */
type Partition = {
  readonly name: string;
  /** The Monday it starts, as `20261116`. Null: it isn't the partition of a week. */
  readonly day: string | null;
};

/** Lists the partitions of these tables: first those of no week, then by week. */
export async function listPartitions(
  db: SqlStatements,
  tables: readonly Partitioned[],
): Promise<readonly Partition[]> {
  return await db.$queryRaw<Partition[]>`
    select child.relname::text as name, substring(child.relname::text from '_([0-9]{8})$') as day
    from pg_inherits
    join pg_class parent on parent.oid = pg_inherits.inhparent
    join pg_class child on child.oid = pg_inherits.inhrelid
    where parent.relname::text = any (${[...tables]}::text[]) and parent.relnamespace = current_schema()::regnamespace
    order by day nulls first, name`;
}

/** The name of a partition in SQL, which can't be a parameter. Throws for any other table. */
export function partitionName(name: string): Prisma.Sql {
  if (
    !/^(deliveries|runs|attempts|run_steps|events|answers|delivery_terms)_(\d{8}|default|before)$/.test(
      name,
    )
  )
    throw new Error("This is not the name of a partition");
  return Prisma.raw(`"${name}"`);
}
