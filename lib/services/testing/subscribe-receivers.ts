import { createDatabase } from "#lib/db/postgres/client.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createSubscription } from "#lib/services/subscriptions/write-subscriptions.ts";
import { testContext } from "./test-context.ts";

type ReceiverFields = {
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
  try {
    const { id } = await db.account.findFirstOrThrow();
    const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
    const context = testContext(db, id, { sealer: openSealer(secretKey), variables });
    for (const { eventTypes, ...receiver } of receivers)
      await createSubscription(context, { ...receiver, eventTypes: [...eventTypes] });
  } finally {
    await db.$disconnect();
  }
}
