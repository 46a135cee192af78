import { z } from "zod";
import type { SenderSettings } from "#lib/schema/send/settings.ts";
import { getSenderSettings, saveSenderSettings } from "#lib/services/account/sender-settings.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { view } from "#lib/web/route/view.ts";

const sendingView = view(
  z
    .object({
      portalName: z.string().nullable().describe("Null: the account's name"),
      portalColor: z.string().nullable(),
      portalLogo: z.string().nullable().describe("A `data:` URL"),
      portalOrigins: z.array(z.string()).readonly(),
      challengeNewUrls: z.boolean(),
      isCatalogPublic: z.boolean(),
      signatureHeader: z.string().describe("The name of the header `t=…,v1=…`"),
      catchmentSignature: z.boolean(),
      standardWebhooksHeaders: z.boolean(),
      egressIps: z
        .array(z.string())
        .readonly()
        .describe("Addresses and networks that calls come from, as the operator says. Read-only"),
    } satisfies Record<keyof SenderSettings | "egressIps", z.ZodType>)
    .meta({ id: "Sending" }),
  (settings: SenderSettings, { env }) => ({ ...settings, egressIps: env.egressIps }),
);

export const sendingRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/sending",
    operationId: "getSending",
    summary: "Get the settings for sending",
    description: "The headers that sign events, the challenge, the portal, and the catalog.",
    service: getSenderSettings,
    view: sendingView,
  }),
  route({
    method: "PATCH",
    path: "/sending",
    operationId: "updateSending",
    summary: "Change the settings for sending",
    description:
      "Changes the given fields. New names of headers apply from the next attempt of each send. 409 " +
      "names a subscription that has a header of the name in `signatureHeader`.",
    service: saveSenderSettings,
    view: sendingView,
    example: { signatureHeader: "acme-signature" },
  }),
];
