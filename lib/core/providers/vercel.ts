import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** SHA-1, as Vercel signs; tables that say SHA-256 are wrong. */
export const vercel: Provider = {
  id: "vercel",
  name: "Vercel",
  scheme: bodyMac("x-vercel-signature", { hash: "sha1" }),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event.",
    source: "https://vercel.com/docs/webhooks/webhooks-api",
  },
  eventType: [inBody("type")],
  secretHelp: "The webhook's secret, shown once; for an integration, its client secret.",
  whereToPaste:
    "Team Settings → Webhooks → Create Webhook: paste the catch URL as Endpoint URL and copy the secret that is shown.",
  docsUrl: "https://vercel.com/docs/webhooks/webhooks-api",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 30,
};
