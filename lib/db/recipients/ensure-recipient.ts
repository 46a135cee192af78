import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * A recipient exists as soon as something refers to it. Locks its row until the transaction ends, so
 * that it isn't deleted meanwhile.
 */
export async function ensureRecipient(
  db: SqlStatements,
  accountId: string,
  recipient: string,
): Promise<void> {
  await db.$executeRaw`
    insert into recipients as known (account_id, id) values (${accountId}::uuid, ${recipient})
    on conflict (account_id, id) do update set updated_at = known.updated_at`;
}
