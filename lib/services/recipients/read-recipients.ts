import { z } from "zod";
import { listPortalLinks as findPortalLinks } from "#lib/db/recipients/portal-links.ts";
import {
  countFailing,
  readRecipientNames as findNames,
  getRecipient as findRecipient,
  listRecipients as findRecipients,
} from "#lib/db/recipients/recipients.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { recipientQuerySchema } from "#lib/schema/send/recipient.ts";
import { service } from "#lib/services/frame/service.ts";

export type { PortalLinkRecord } from "#lib/db/recipients/portal-links.ts";

/** Returns a recipient of the account. Throws `not_found`. */
export const getRecipient = service({
  permission: "subscriptions:read",
  input: byId,
  run: ({ db, actor }, { id }) => findRecipient(db, actor.accountId, id),
});

/** The account's recipients, in the order of their ids. */
export const listRecipients = service({
  permission: "subscriptions:read",
  input: recipientQuerySchema,
  run: ({ db, actor }, query) => findRecipients(db, actor.accountId, query, query),
});

/** The same, each with the number of its subscriptions whose calls all fail. */
export const listRecipientRows = service({
  permission: "subscriptions:read",
  input: recipientQuerySchema,
  run: async ({ db, actor }, query) => {
    const page = await findRecipients(db, actor.accountId, query, query);
    const ids = page.items.map(({ id }) => id);
    const failing = await countFailing(db, actor.accountId, ids);
    const items = page.items.map((item) => ({ ...item, failing: failing.get(item.id) ?? 0 }));
    return { items, nextCursor: page.nextCursor };
  },
});

/** The newest 200 links of a recipient, including revoked and expired ones. */
export const listPortalLinks = service({
  permission: "subscriptions:read",
  input: byId,
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
