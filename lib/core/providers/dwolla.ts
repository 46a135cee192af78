import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://developers.dwolla.com/guides/webhooks/validating-webhooks.html on
 * 2026-11-28.
 */
export const dwolla: Provider = {
  id: "dwolla",
  name: "Dwolla",
  scheme: bodyMac("x-request-signature-sha-256"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event; resourceId is the transfer's or customer's.",
    source: "https://developers.dwolla.com/docs/balance/webhooks",
  },
  eventType: [inBody("topic")],
  secretHelp: "The secret that you gave the webhook subscription. It is used as text.",
  isSecretChosen: true,
  whereToPaste: "POST /webhook-subscriptions with the catch URL as url and the secret as secret.",
  docsUrl: "https://developers.dwolla.com/docs/working-with-webhooks",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
};
