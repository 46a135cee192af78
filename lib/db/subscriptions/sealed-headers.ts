import type { Transaction } from "#lib/db/postgres/client.ts";

const pageSize = 500;

/** The next 500 of an account's subscriptions that have headers of their own, by id. Headers stay sealed. */
export async function listSealedHeaders(tx: Transaction, accountId: string, afterId?: string) {
  return await tx.subscription.findMany({
    where: {
      accountId,
      deletedAt: null,
      headersCiphertext: { not: null },
      ...(afterId !== undefined && { id: { gt: afterId } }),
    },
    orderBy: { id: "asc" },
    take: pageSize,
    select: { id: true, accountId: true, receiverUrl: true, headersCiphertext: true },
  });
}
