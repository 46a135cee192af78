import type { Transaction } from "#lib/db/postgres/client.ts";

/** The title of an account's portal. */
export async function findPortalName(tx: Transaction, accountId: string): Promise<string> {
  const { name, senderSettings } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { name: true, senderSettings: { select: { portalName: true } } },
  });
  return senderSettings?.portalName ?? name;
}
