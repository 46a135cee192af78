import {
  getRecipient,
  type RecipientRecord,
  upsertRecipient,
} from "#lib/db/recipients/recipients.ts";
import { recipientId, recipientSchema } from "#lib/schema/sender/recipient.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

/** Creates a recipient, or replaces its name and metadata. */
export const putRecipient = service({
  permission: "subscriptions:write",
  input: recipientSchema.extend({ id: recipientId }),
  run: async (context, { id, ...data }): Promise<RecipientRecord> => {
    const { accountId } = context.actor;
    await upsertRecipient(context.db, accountId, id, data);
    await audit(context, { event: "recipient.saved", targets: [{ type: "recipient", id }] });
    return await getRecipient(context.db, accountId, id);
  },
});
