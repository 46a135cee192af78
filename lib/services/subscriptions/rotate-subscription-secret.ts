import {
  rotateSubscriptionSecret as addSecret,
  type NewSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { subscriptionSecretSchema } from "#lib/schema/sender/subscription.ts";
import { recipientScope } from "#lib/services/actor.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

const rotation = subscriptionSecretSchema.extend({ id: recordId });

/** Adds a secret. The previous ones sign too for `expirePreviousAfterSeconds`. */
export const rotateSubscriptionSecret = service({
  permission: "subscriptions:write",
  input: rotation,
  portalInput: rotation,
  run: async (context, { id, ...input }): Promise<NewSubscription> => {
    const { db, sealer, actor } = context;
    const rules = { sealer, scope: recipientScope(actor) };
    const rotated = await addSecret(db, actor.accountId, id, input, rules);
    const targets = [{ type: "subscription", id }];
    await audit(context, { event: "subscription.secret.rotated", targets });
    return rotated;
  },
});
