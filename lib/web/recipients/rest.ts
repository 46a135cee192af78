import { z } from "zod";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { quotaSchema } from "#lib/schema/send/recipient.ts";
import {
  createPortalLink,
  deleteRecipient,
  getRecipient,
  listPortalLinks,
  listRecipients,
  type NewPortalLink,
  type PortalLinkRecord,
  putRecipient,
  revokePortalLinks,
} from "#lib/services/recipients.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { asIs, pageView, view } from "#lib/web/route/view.ts";

const recipientView = asIs(
  z
    .object({
      id: z.string().describe("The account's own id of a customer"),
      name: z.string().nullable(),
      metadata: z.record(z.string(), z.string()),
      quota: quotaSchema.required().nullable(),
      quotaUse: z
        .object({
          used: z.int().describe("Sends of the day or month that is now"),
          resetsAt: z.date().describe("When the next one begins"),
        })
        .nullable()
        .describe("Null: it has no quota"),
      subscriptionCount: z.int(),
      createdAt: z.date(),
      updatedAt: z.date(),
    })
    .meta({ id: "Recipient" }),
);

const capabilities = z.array(z.enum(portalCapabilities));

const newLinkView = view(
  z
    .object({
      id: z.string(),
      url: z.string().describe("Contains the token, and is shown once"),
      capabilities,
      expiresAt: z.date(),
    })
    .meta({ id: "NewPortalLink" }),
  ({ link, url }: NewPortalLink) => {
    const { id, expiresAt } = link;
    return { id, url, capabilities: [...link.capabilities], expiresAt };
  },
);

const linksView = view(
  z.object({
    data: z.array(
      z
        .object({
          id: z.string(),
          capabilities,
          createdAt: z.date(),
          expiresAt: z.date(),
          lastUsedAt: z.date().nullable(),
          revokedAt: z.date().nullable(),
        })
        .meta({ id: "PortalLink" }),
    ),
  }),
  (links: readonly PortalLinkRecord[]) => ({
    data: links.map(({ recipient: _, ...link }) => ({
      ...link,
      capabilities: [...link.capabilities],
    })),
  }),
);

export const recipientRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/recipients",
    operationId: "listRecipients",
    summary: "List recipients",
    description: "By id, numbers by their value. `q` finds text in id and name.",
    service: listRecipients,
    view: pageView(recipientView),
  }),
  exportRoute({
    list: "/recipients",
    operationId: "exportRecipients",
    summary: "Export recipients",
    methodHint: 'No recipient of the API can have the id "export".',
    service: listRecipients,
    view: recipientView,
  }),
  route({
    method: "GET",
    path: "/recipients/{id}",
    operationId: "getRecipient",
    summary: "Get a recipient",
    service: getRecipient,
    view: recipientView,
  }),
  route({
    method: "PUT",
    path: "/recipients/{id}",
    operationId: "putRecipient",
    summary: "Create or replace a recipient",
    description: "Omitted fields get their default.",
    service: putRecipient,
    view: recipientView,
    example: {
      name: "Globex",
      metadata: { plan: "pro" },
      quota: { limit: 10_000, per: "month", whenUsedUp: "delay" },
    },
  }),
  route({
    method: "DELETE",
    path: "/recipients/{id}",
    operationId: "deleteRecipient",
    summary: "Delete a recipient",
    description: "Ends its portal links. 409 while it has subscriptions.",
    service: deleteRecipient,
    view: null,
  }),
  route({
    method: "GET",
    path: "/recipients/{id}/portal-links",
    operationId: "listPortalLinks",
    summary: "List a recipient's portal links",
    description: "The newest 200, including revoked and expired ones.",
    service: listPortalLinks,
    view: linksView,
  }),
  route({
    method: "POST",
    path: "/recipients/{id}/portal-links",
    operationId: "createPortalLink",
    summary: "Create a portal link",
    description: "The `url` is only shown here.",
    service: createPortalLink,
    status: 201,
    view: newLinkView,
    example: { expiresInSeconds: 3600, capabilities: ["subscriptions:read", "events:read"] },
  }),
  route({
    method: "DELETE",
    path: "/recipients/{id}/portal-links",
    operationId: "revokePortalLinks",
    summary: "Revoke all of a recipient's portal links now",
    service: revokePortalLinks,
    view: null,
  }),
];
