import { addSecret, expireSecrets } from "#lib/db/subscriptions/subscription-secrets.ts";
import {
  getSubscription,
  lockSubscription,
  touchSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { subscriptionSecretSchema } from "#lib/schema/send/subscription.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { generateSecret, sealSecret } from "./new-secrets.ts";
import {
  type NewSubscription,
  requireRoomForSecret,
  toSubscriptionTarget,
} from "./subscription-rules.ts";

const rotation = subscriptionSecretSchema.extend({ id: recordId });

/** Adds a secret. The previous ones sign too for `expirePreviousAfterSeconds`. */
export const rotateSubscriptionSecret = service({
  permission: "subscriptions:write",
  input: rotation,
  portalInput: rotation,
  run: async (context, input): Promise<NewSubscription> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    const { secret = generateSecret(), expirePreviousAfterSeconds } = input;
    const subscription = await db.$transaction(async (tx) => {
      const { id } = await lockSubscription(tx, accountId, input.id, recipientScope(actor));
      await expireSecrets(tx, id, expirePreviousAfterSeconds);
      await requireRoomForSecret(tx, id);
      await addSecret(tx, id, sealSecret(sealer, accountId, secret));
      await touchSubscription(tx, id);
      const after = await getSubscription(tx, accountId, id);
      const targets = [toSubscriptionTarget(after)];
      await audit(context, { event: "subscription.secret.rotated", targets }, tx);
      return after;
    });
    return { subscription, secret };
  },
});
