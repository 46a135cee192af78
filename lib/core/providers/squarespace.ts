import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://developers.squarespace.com/webhooks/verifying-notifications on 2026-11-28.
 */
export const squarespace: Provider = {
  id: "squarespace",
  name: "Squarespace",
  scheme: { ...bodyMac("squarespace-signature"), secret: { decode: "hex" } },
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the notification; the order's is inside data.",
    source: "https://developers.squarespace.com/webhooks/overview",
  },
  eventType: [inBody("topic")],
  secretHelp: "The secret of the webhook subscription, which is decoded from hexadecimal.",
  whereToPaste:
    "POST /1.0/webhook_subscriptions with the catch URL as endpointUrl; the response has the secret, and only once.",
  docsUrl: "https://developers.squarespace.com/webhooks/verifying-notifications",
  proof: { describedBy: "provider" },
  marks: { userAgent: /^Squarespace\// },
};
