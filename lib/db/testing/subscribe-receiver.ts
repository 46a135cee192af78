import { parseCidrList } from "#lib/core/address/allow-list.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { createSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { subscriptionInputSchema } from "#lib/schema/sender/subscription.ts";

export type ReceiverFields = {
  readonly receiverUrl: string;
  readonly recipient: string | null;
  readonly eventTypes: readonly string[];
};

/** Subscribes receivers on this machine to the first account of a running server. */
export async function subscribeReceivers(
  { databaseUrl, secretKey }: { readonly databaseUrl: string; readonly secretKey: string },
  receivers: readonly ReceiverFields[],
): Promise<void> {
  const db = createDatabase({ url: databaseUrl, poolSize: 1, applicationName: "subscribe" });
  const allow = parseCidrList("127.0.0.0/8");
  if (!allow.ok) throw new Error(allow.message);
  const rules = { sealer: openSealer(secretKey), allowList: allow.cidrs };
  try {
    const { id } = await db.account.findFirstOrThrow();
    for (const receiver of receivers)
      await createSubscription(db, id, subscriptionInputSchema.parse(receiver), rules);
  } finally {
    await db.$disconnect();
  }
}
