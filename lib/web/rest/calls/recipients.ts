import {
  createPortalLink,
  listPortalLinks,
  revokePortalLinks,
} from "#lib/db/recipients/portal-links.ts";
import {
  deleteRecipient,
  getRecipient,
  listRecipients,
  putRecipient,
  requireRecipientId,
} from "#lib/db/recipients/recipients.ts";
import {
  portalLinkSchema,
  recipientQuerySchema,
  recipientSchema,
} from "#lib/schema/sender/recipient.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const getRecipients = endpoint({
  scope: "subscriptions:read",
  query: recipientQuerySchema,
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listRecipients(db, accountId, query, query), (recipient) => recipient),
});

export const getOneRecipient = endpoint({
  scope: "subscriptions:read",
  handle: ({ context: { db }, accountId, id }) => getRecipient(db, accountId, id),
});

export const putOneRecipient = endpoint({
  scope: "subscriptions:write",
  body: recipientSchema,
  handle: ({ context: { db }, accountId, id, body }) => putRecipient(db, accountId, id, body),
});

export const removeRecipient = endpoint({
  scope: "subscriptions:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteRecipient(db, accountId, id),
});

/** The URL contains the token, which is shown once. */
export const postPortalLink = endpoint({
  scope: "subscriptions:write",
  body: portalLinkSchema,
  status: 201,
  handle: async ({ context: { db, env }, accountId, id, body }) => {
    const { link, token } = await createPortalLink(db, accountId, requireRecipientId(id), body);
    const { id: linkId, capabilities, expiresAt } = link;
    return { id: linkId, url: `${env.publicUrl}/portal/${token}`, capabilities, expiresAt };
  },
});

export const getPortalLinks = endpoint({
  scope: "subscriptions:read",
  handle: async ({ context: { db }, accountId, id }) => {
    const { id: recipient } = await getRecipient(db, accountId, id);
    const links = await listPortalLinks(db, accountId, recipient);
    return { data: links.map(({ recipient: _recipient, ...link }) => link) };
  },
});

/** Ends all links of the recipient now. */
export const removePortalLinks = endpoint({
  scope: "subscriptions:write",
  status: 204,
  handle: async ({ context: { db }, accountId, id }) => {
    const { id: recipient } = await getRecipient(db, accountId, id);
    await revokePortalLinks(db, accountId, recipient);
  },
});
