import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * AfterShip Tracking. Returns, Shipping, and Warranty sign under other header names. Compared with
 * https://www.aftership.com/docs/tracking/webhook/webhook-signature on 2026-11-28.
 */
export const aftership: Provider = {
  id: "aftership",
  name: "AfterShip Tracking",
  scheme: bodyMac("aftership-hmac-sha256", { encoding: "base64" }),
  eventId: [inBody("event_id")],
  identity: {
    why: "Each event has its own event_id; msg.id is that of the tracking.",
    source: "https://www.aftership.com/docs/tracking/2025-01/webhook/webhook-specifications",
  },
  eventType: [inBody("event")],
  secretHelp: "The webhook secret of the account. Not an API key.",
  whereToPaste:
    "AfterShip Tracking → Settings → Webhooks: paste the catch URL; the page shows the webhook secret.",
  docsUrl: "https://www.aftership.com/docs/tracking/webhook/webhook-signature",
  proof: { describedBy: "provider" },
  marks: { userAgent: /^AfterShip/ },
};
