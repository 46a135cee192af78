import { pairMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Like Stripe, but in milliseconds and base64url without padding. */
export const sanity: Provider = {
  id: "sanity",
  name: "Sanity",
  scheme: pairMac("sanity-webhook-signature", { encoding: "base64url", unit: "ms" }),
  eventId: [inHeader("idempotency-key")],
  identity: {
    why: "Sanity sends an idempotency key with each event and keeps it when it tries again.",
    source: "https://www.sanity.io/docs/content-lake/webhooks",
  },
  eventType: [inHeader("sanity-operation"), inBody("_type")],
  secretHelp: "The Secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "sanity.io/manage → project → API → Webhooks → Create: paste the catch URL and fill in Secret.",
  docsUrl: "https://www.sanity.io/docs/content-lake/webhooks",
  proof: { package: "@sanity/webhook", describedBy: "provider" },
};
