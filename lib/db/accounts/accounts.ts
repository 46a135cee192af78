import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** Renames an account. The slug never changes: it is part of every catch URL. */
export async function renameAccount(
  db: Database | Transaction,
  accountId: string,
  name: string,
): Promise<void> {
  await db.account.update({ where: { id: accountId }, data: { name } });
}

export async function readAccountName(db: Database, accountId: string): Promise<string> {
  const select = { name: true } as const;
  return (await db.account.findUniqueOrThrow({ where: { id: accountId }, select })).name;
}
