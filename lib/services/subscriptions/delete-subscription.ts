import { z } from "zod";
import { cancelRunsOfDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import {
  lockSubscription,
  deleteSubscription as removeSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { toSubscriptionTarget } from "./subscription-rules.ts";

const byId = z.strictObject({ id: recordId });

/**
 * Deletes a subscription with its secrets and headers. The first few thousand open runs are
 * canceled with it, the rest within about a minute.
 */
export const deleteSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const before = await lockSubscription(tx, actor.accountId, id, recipientScope(actor));
      await removeSubscription(tx, before.id);
      const targets = [toSubscriptionTarget(before)];
      await audit(context, { event: "subscription.deleted", targets }, tx);
    });
    await cancelRunsOfDeletedSubscriptions(db, { subscriptionId: id, batches: 1 });
  },
});
