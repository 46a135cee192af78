import { z } from "zod";
import {
  revokePortalLink as endPortalLink,
  revokePortalLinks as endPortalLinks,
  createPortalLink as insertPortalLink,
  type PortalLinkRecord,
} from "#lib/db/recipients/portal-links.ts";
import { getRecipient } from "#lib/db/recipients/recipients.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { portalLinkSchema, recipientId } from "#lib/schema/send/recipient.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

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
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    const recipient = await getRecipient(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      await endPortalLinks(tx, actor.accountId, recipient.id);
      const targets = [{ type: "recipient", id }];
      await audit(context, { event: "portal_link.all_revoked", targets }, tx);
    });
  },
});
