import {
  getRecipient,
  type RecipientRecord,
  upsertRecipient,
} from "#lib/db/recipients/recipients.ts";
import { recipientId, recipientSchema } from "#lib/schema/send/recipient.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Creates a recipient, or replaces its name and metadata. */
export const putRecipient = service({
  permission: "subscriptions:write",
  input: recipientSchema.extend({ id: recipientId }),
  run: async (context, { id, ...data }): Promise<RecipientRecord> => {
    const { accountId } = context.actor;
    return await context.db.$transaction(async (tx) => {
      await upsertRecipient(tx, accountId, id, data);
      const recipient = await getRecipient(tx, accountId, id);
      const targets = [{ type: "recipient", id, name: recipient.name ?? id }];
      await audit(context, { event: "recipient.saved", targets }, tx);
      return recipient;
    });
  },
});
