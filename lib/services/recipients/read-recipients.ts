import { z } from "zod";
import { listPortalLinks as findPortalLinks } from "#lib/db/recipients/portal-links.ts";
import {
  readRecipientNames as findNames,
  getRecipient as findRecipient,
  listRecipients as findRecipients,
} from "#lib/db/recipients/recipients.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { recipientQuerySchema } from "#lib/schema/sender/recipient.ts";
import { service } from "#lib/services/frame/service.ts";

/** Returns a recipient of the account. Throws `not_found`. */
export const getRecipient = service({
  permission: "subscriptions:read",
  input: z.strictObject({ id: recordId }),
  run: ({ db, actor }, { id }) => findRecipient(db, actor.accountId, id),
});

/** The account's recipients, in the order of their ids. */
export const listRecipients = service({
  permission: "subscriptions:read",
  input: recipientQuerySchema,
  run: ({ db, actor }, query) => findRecipients(db, actor.accountId, query, query),
});

/** The newest 200 links of a recipient, including revoked and expired ones. */
export const listPortalLinks = service({
  permission: "subscriptions:read",
  input: z.strictObject({ id: recordId }),
  run: async ({ db, actor }, { id }) => {
    const recipient = await findRecipient(db, actor.accountId, id);
    return await findPortalLinks(db, actor.accountId, recipient.id);
  },
});

/** The names of these recipients by their ids. Those without a name are left out. */
export const readRecipientNames = service({
  permission: "subscriptions:read",
  input: z.strictObject({ ids: z.array(recordId) }),
  run: ({ db, actor }, { ids }) => findNames(db, actor.accountId, ids),
});
