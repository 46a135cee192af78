import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** Renames an account. The slug never changes: it is part of every catch URL. */
export async function renameAccount(
  db: Database | Transaction,
  accountId: string,
  name: string,
): Promise<void> {
  await db.account.update({ where: { id: accountId }, data: { name } });
}
