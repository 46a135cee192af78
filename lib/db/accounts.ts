import type { Database } from "./client.ts";

/** What people read. The slug stays as it is: it is part of every catch URL that was handed out. */
export async function renameAccount(db: Database, accountId: string, name: string): Promise<void> {
  await db.account.update({ where: { id: accountId }, data: { name } });
}
