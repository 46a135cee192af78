import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import {
  updateSubscription as changeSubscription,
  getSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import {
  portalSubscriptionPatchSchema,
  subscriptionPatchSchema,
} from "#lib/schema/sender/subscription.ts";
import { recipientScope } from "#lib/services/actor.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";
import { challengeNewUrl } from "./check-challenge.ts";
import { subscriptionRules } from "./subscription-rules.ts";

/** Omitted fields stay. A new receiver URL may have to answer the challenge first. */
export const updateSubscription = service({
  permission: "subscriptions:write",
  input: subscriptionPatchSchema.extend({ id: recordId }),
  portalInput: portalSubscriptionPatchSchema.extend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const rules = { ...subscriptionRules(context), scope };
    const before = await getSubscription(db, actor.accountId, id, scope);
    const saved = await changeSubscription(db, actor.accountId, id, patch, rules);
    await audit(context, {
      event: "subscription.updated",
      targets: [{ type: "subscription", id }],
    });
    const isNewUrl = saved.receiverUrl !== before.receiverUrl;
    return isNewUrl ? await challengeNewUrl(context, saved) : saved;
  },
});
