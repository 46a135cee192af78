import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** The fields that viewers of an account see masked. */
export async function readMaskedFields(
  db: Database | Transaction,
  accountId: string,
): Promise<readonly string[]> {
  const select = { maskedFields: true } as const;
  const found = await db.account.findUniqueOrThrow({ where: { id: accountId }, select });
  return found.maskedFields;
}

export async function saveMaskedFields(
  tx: Transaction,
  accountId: string,
  fields: readonly string[],
): Promise<void> {
  await tx.account.update({ where: { id: accountId }, data: { maskedFields: [...fields] } });
}
