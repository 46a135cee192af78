import type { Database } from "#lib/db/postgres/client.ts";

/** The name of the account, for messages. */
export async function readAccountName(db: Database, accountId: string): Promise<string> {
  const { name } = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { name: true },
  });
  return name;
}
