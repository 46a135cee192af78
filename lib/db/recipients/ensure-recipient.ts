import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A recipient exists as soon as something refers to it. */
export async function ensureRecipient(
  db: SqlStatements,
  accountId: string,
  recipient: string,
): Promise<void> {
  await db.$executeRaw`
    insert into recipients (account_id, id) values (${accountId}::uuid, ${recipient}) on conflict do nothing`;
}
