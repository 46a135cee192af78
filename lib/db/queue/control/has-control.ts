import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

/** True if any action has a breaker, an order, or a destination. Takes one index lookup. */
export async function hasControl(db: SqlDatabase): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    select exists (
      select from actions where breaker_failures is not null or order_by is not null or destination_ids <> '{}' order by id limit 1
    ) as found`;
  return row?.found ?? true;
}
