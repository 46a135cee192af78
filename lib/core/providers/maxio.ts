import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Formerly Chargify, whose name the headers keep. Events are forms. Compared with
 * https://gist.github.com/moklett/7456242 on 2026-11-28. Maxio's own pages show a hexadecimal HMAC,
 * but we found none that names the header.
 */
export const maxio: Provider = {
  id: "maxio",
  name: "Maxio Advanced Billing (Chargify)",
  scheme: bodyMac("x-chargify-webhook-signature-hmac-sha-256"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the webhook, unique in all of Maxio, and isn't changed on a retry or replay.",
    source: "npm @maxio-com/advanced-billing-sdk",
  },
  eventType: [inBody("event")],
  secretHelp: "The site's shared key. Not an API key.",
  whereToPaste:
    "Config → Settings → Webhooks: paste the catch URL as endpoint; Config → Settings shows the site's shared key.",
  docsUrl: "https://github.com/maxio-com/ab-typescript-sdk/blob/main/doc/controllers/webhooks.md",
  proof: { describedBy: "others" },
  respondWithinSeconds: 15,
};
