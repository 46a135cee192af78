import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import {
  revokePortalLink as endPortalLink,
  revokePortalLinks as endPortalLinks,
  listPortalLinks as findPortalLinks,
  createPortalLink as insertPortalLink,
  type PortalLinkRecord,
} from "#lib/db/recipients/portal-links.ts";
import {
  countFailing,
  readRecipientNames as findNames,
  getRecipient as findRecipient,
  listRecipients as findRecipients,
  lockRecipient,
  type RecipientRecord,
  removeRecipient,
  upsertRecipient,
} from "#lib/db/recipients/recipients.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import {
  portalLinkSchema,
  recipientId,
  recipientQuerySchema,
  recipientSchema,
} from "#lib/schema/send/recipient.ts";
import { audit } from "#lib/services/frame/audit.ts";
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

/** Creates a recipient, or replaces its name and metadata. */
export const putRecipient = service({
  permission: "subscriptions:write",
  input: recipientSchema.extend({ id: recipientId }),
  run: async (context, { id, ...data }): Promise<RecipientRecord> => {
    const { accountId } = context.actor;
    return await context.db.$transaction(async (tx) => {
      await upsertRecipient(tx, accountId, id, data);
      const recipient = await findRecipient(tx, accountId, id);
      const targets = [{ type: "recipient", id, name: recipient.name ?? id }];
      await audit(context, { event: "recipient.saved", targets }, tx);
      return recipient;
    });
  },
});

/**
 * Deletes a recipient and its portal links. Throws `conflict` while it has subscriptions, which
 * must be deleted separately.
 */
export const deleteRecipient = service({
  permission: "subscriptions:write",
  input: byId,
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

export type NewPortalLink = {
  readonly link: PortalLinkRecord;
  /** Contains the token, which can't be read again later. */
  readonly url: string;
};

/** Creates a link for a recipient, which need not exist yet. */
export const createPortalLink = service({
  permission: "subscriptions:write",
  input: portalLinkSchema.extend({ id: recipientId }),
  run: async (context, { id, ...input }): Promise<NewPortalLink> => {
    const { db, env, actor } = context;
    const { link, token } = await db.$transaction(async (tx) => {
      const made = await insertPortalLink(tx, actor.accountId, id, input);
      const targets = [
        { type: "recipient", id },
        { type: "portal_link", id: made.link.id },
      ];
      await audit(context, { event: "portal_link.created", targets }, tx);
      return made;
    });
    return { link, url: `${env.publicUrl}/portal/${token}` };
  },
});

/** Ends one link now. Throws `not_found` if the recipient has no such link. */
export const revokePortalLink = service({
  permission: "subscriptions:write",
  input: z.strictObject({ id: recordId, linkId: recordId }),
  run: async (context, { id, linkId }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      await endPortalLink(tx, context.actor.accountId, id, linkId);
      const targets = [
        { type: "recipient", id },
        { type: "portal_link", id: linkId },
      ];
      await audit(context, { event: "portal_link.revoked", targets }, tx);
    });
  },
});

/** Ends all links of a recipient now. */
export const revokePortalLinks = service({
  permission: "subscriptions:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    const recipient = await findRecipient(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      await endPortalLinks(tx, actor.accountId, recipient.id);
      const targets = [{ type: "recipient", id }];
      await audit(context, { event: "portal_link.all_revoked", targets }, tx);
    });
  },
});
