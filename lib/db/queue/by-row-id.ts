import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * The row ids (`ctid`) of the queue's rows with these ids, for `ctid = any (array(…))`. Plans are made while
 * the queue is small and used when it is not, and every index with the id in it looks as good then.
 * With `queueSettings` only the primary key gives the order.
 *
 * A row that is updated at the same moment has moved, and the statement misses it. So statements
 * that must not miss one run through `writeByRowId`. A renewal, a claim, or a rescue may: they skip
 * what another statement has locked anyway, and the next one finds it.
 *
 * @param ids an expression for `uuid[]`
 */
export function rowIdsOf(ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select ctid from queue where id = any (${ids}) order by id`;
}

type Write<Item> = {
  readonly runIdOf: (item: Item) => string;
  /** Runs one statement. Returns the items whose run it didn't find. */
  readonly write: (to: SqlStatements, items: readonly Item[]) => Promise<readonly Item[]>;
};

/**
 * Runs a statement that finds rows of the queue by their row id (`rowIdsOf`). A row id is not
 * stable: a concurrent update of the row, such as a renewal of its lease, moves it, and the
 * statement misses it. So the statement runs again for what it missed, while those rows are locked
 * by their key and nothing can move them.
 *
 * @returns the items whose run is really gone or has another lease
 */
export async function writeByRowId<Item>(
  db: SqlDatabase,
  items: readonly Item[],
  { runIdOf, write }: Write<Item>,
): Promise<readonly Item[]> {
  if (items.length === 0) return [];
  const missed = await write(db, items);
  if (missed.length === 0) return missed;
  const ids = [...new Set(missed.map(runIdOf))];
  return await db.$transaction(async (tx) => {
    // Orders by the id for the reason given in `rowIdsOf`.
    await tx.$queryRaw`
      select from queue where id = any (${ids}::uuid[]) order by id for no key update`;
    return await write(tx, missed);
  });
}
