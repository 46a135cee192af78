import type { Transaction } from "#lib/db/postgres/client.ts";

/** Locks an account until the transaction ends, so that one caller at a time counts and adds. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.$queryRaw`select from accounts where id = ${accountId}::uuid for no key update`;
}
