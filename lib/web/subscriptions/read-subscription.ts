import { cache } from "react";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { getSubscription } from "#lib/services/subscriptions/read-subscriptions.ts";

/** The name of a subscription, for the title of its page. Throws `not_found`. */
export const readSubscription = cache(
  async (context: ServiceContext, id: string): Promise<{ readonly name: string }> => {
    const { description, receiverUrl } = await getSubscription(context, { id });
    return { name: description ?? URL.parse(receiverUrl)?.host ?? receiverUrl };
  },
);
