import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { lockRecipient, removeRecipient } from "#lib/db/recipients/recipients.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Deletes a recipient and its portal links. Throws `conflict` while it has subscriptions, which
 * must be deleted separately.
 */
export const deleteRecipient = service({
  permission: "subscriptions:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { accountId } = context.actor;
    await context.db.$transaction(async (tx) => {
      const { subscriptionCount } = await lockRecipient(tx, accountId, id);
      if (subscriptionCount > 0) {
        const subscriptions = subscriptionCount === 1 ? "subscription" : "subscriptions";
        const detail = `This recipient has ${subscriptionCount} ${subscriptions}. Delete them first.`;
        throw new AppError("conflict", detail);
      }
      await removeRecipient(tx, accountId, id);
      await audit(
        context,
        { event: "recipient.deleted", targets: [{ type: "recipient", id }] },
        tx,
      );
    });
  },
});
