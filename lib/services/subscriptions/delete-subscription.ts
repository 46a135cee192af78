import { z } from "zod";
import { deleteSubscription as removeSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { recipientScope } from "#lib/services/actor.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

const byId = z.strictObject({ id: recordId });

/** Deletes a subscription with its secrets and headers, and cancels its open runs. */
export const deleteSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await removeSubscription(db, actor.accountId, id, recipientScope(actor));
    await audit(context, {
      event: "subscription.deleted",
      targets: [{ type: "subscription", id }],
    });
  },
});
