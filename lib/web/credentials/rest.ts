import { z } from "zod";
import { credentialSettingsSchema } from "#lib/schema/act/credential.ts";
import {
  type CredentialRecord,
  createCredential,
  deleteCredential,
  getCredential,
  listCredentials,
  updateCredential,
} from "#lib/services/credentials.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, pick, view } from "#lib/web/route/view.ts";

const credentialSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    origin: z.string(),
    auth: credentialSettingsSchema,
    usedBy: z
      .object({ actions: z.int(), destinations: z.int(), subscriptions: z.int() })
      .describe("How many"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Credential" });

/** A credential in the API's responses, with only a hint of its secret. */
const credentialView = view(credentialSchema, (credential: CredentialRecord) => {
  const { settings, actionCount, destinationCount, subscriptionCount } = credential;
  const usedBy = {
    actions: actionCount,
    destinations: destinationCount,
    subscriptions: subscriptionCount,
  };
  return pick(credentialSchema, { ...credential, auth: settings, usedBy });
});

export const credentialRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/credentials",
    operationId: "createCredential",
    summary: "Create a credential",
    description: "Its secrets are stored encrypted and never returned.",
    service: createCredential,
    status: 201,
    view: credentialView,
    example: {
      name: "CRM",
      origin: "https://crm.example.com",
      auth: { type: "bearer", token: "0123456789abcdef" },
    },
  }),
  route({
    method: "GET",
    path: "/credentials",
    operationId: "listCredentials",
    summary: "List credentials",
    description: "Newest first.",
    service: listCredentials,
    view: pageView(credentialView),
  }),
  route({
    method: "GET",
    path: "/credentials/{id}",
    operationId: "getCredential",
    summary: "Get a credential",
    service: getCredential,
    view: credentialView,
  }),
  route({
    method: "PATCH",
    path: "/credentials/{id}",
    operationId: "updateCredential",
    summary: "Change a credential",
    description:
      "`auth` is replaced as a whole, and the next call on every worker uses it. The origin never changes.",
    service: updateCredential,
    view: credentialView,
    example: { name: "CRM EU" },
  }),
  route({
    method: "DELETE",
    path: "/credentials/{id}",
    operationId: "deleteCredential",
    summary: "Delete a credential",
    description: "409 names the actions, destinations, and subscriptions that use it.",
    service: deleteCredential,
    view: null,
  }),
];
