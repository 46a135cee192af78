import type { Transaction } from "#lib/db/postgres/client.ts";

type Subscription = {
  /** Left out: it has the URL already, or gets it. Omitted: a new one. */
  readonly id?: string;
  readonly accountId: string;
  readonly recipient: string | null;
};

/**
 * The oldest other subscription of a recipient with a receiver URL that isn't disabled, or null. URLs that a client calls
 * alike are one: an upper-case host, a default port, and a fragment make no difference.
 */
export async function findSameReceiver(
  tx: Transaction,
  { id, accountId, recipient }: Subscription,
  receiverUrl: string,
): Promise<string | null> {
  const subscriptions = await tx.subscription.findMany({
    where: {
      accountId,
      recipient,
      deletedAt: null,
      status: { not: "disabled" },
      ...(id !== undefined && { id: { not: id } }),
    },
    select: { id: true, receiverUrl: true },
    orderBy: { id: "asc" },
  });
  const called = toCalledUrl(receiverUrl);
  return subscriptions.find((one) => toCalledUrl(one.receiverUrl) === called)?.id ?? null;
}

function toCalledUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = "";
  return url.href;
}
