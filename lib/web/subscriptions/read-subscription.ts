import { cache } from "react";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";

/** The name of a subscription, for the title of its page. Throws `not_found`. */
export const readSubscription = cache(
  async (
    { db }: ServerContext,
    accountId: string,
    subscriptionId: string,
  ): Promise<{ readonly name: string }> => {
    const { description, receiverUrl } = await getSubscription(db, accountId, subscriptionId);
    return { name: description ?? URL.parse(receiverUrl)?.host ?? receiverUrl };
  },
);
