import { storeTestEvent } from "#lib/db/events/store-test-event.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { addEmail } from "#lib/db/testing/test-recipient-email.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { createSubscription } from "#lib/services/subscriptions/write-subscriptions.ts";

/** One subscription, one send of it, and an address that its people named. */
export type Place = {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly runId: string;
  readonly emailId: string;
};

/** A header value of the account, which may be a credential, whatever the header's name. */
export const headerValue = "7c0d-of-the-account";

export async function addPlace(
  db: Database,
  accountId: string,
  recipient: string | null,
): Promise<Place> {
  const { subscription } = await createSubscription(serviceContext({ type: "system", accountId }), {
    receiverUrl: "http://127.0.0.1:65000/in",
    recipient,
    headers: { "X-Region": headerValue },
  });
  const { id } = subscription;
  const event = { accountId, subscriptionId: id, recipient, type: "a.b", dataJson: "{}" };
  const { runId } = await storeTestEvent(db, event);
  return {
    accountId,
    subscriptionId: id,
    runId,
    emailId: await addEmail(db, accountId, recipient),
  };
}
