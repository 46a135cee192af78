import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** True if an account has a subscription that gets its events in order. */
export async function hasOrdered(db: SqlStatements, accountId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    select exists (
      select from subscriptions where account_id = ${accountId}::uuid and ordered and deleted_at is null
    ) as found`;
  return row?.found ?? true;
}
