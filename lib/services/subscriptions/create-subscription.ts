import {
  createSubscription as insertSubscription,
  type NewSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import {
  portalSubscriptionSchema,
  subscriptionInputSchema,
} from "#lib/schema/sender/subscription.ts";
import { recipientScope } from "#lib/services/actor.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";
import { challengeNewUrl } from "./check-challenge.ts";
import { subscriptionRules } from "./subscription-rules.ts";

/** It stays pending if its receiver URL has to answer a challenge and doesn't. */
export const createSubscription = service({
  permission: "subscriptions:write",
  input: subscriptionInputSchema,
  portalInput: portalSubscriptionSchema,
  run: async (context, input): Promise<NewSubscription> => {
    const { db, actor } = context;
    const all = { ...input, ...recipientScope(actor) };
    const rules = subscriptionRules(context);
    const created = await insertSubscription(db, actor.accountId, all, rules);
    const { id } = created.subscription;
    await audit(context, {
      event: "subscription.created",
      targets: [{ type: "subscription", id }],
    });
    const subscription = await challengeNewUrl(context, created.subscription);
    return { subscription, secret: created.secret };
  },
});
