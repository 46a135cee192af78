import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The header has the name that Standard Webhooks and GoCardless use for other formats. */
export const cloudflareStream: Provider = {
  id: "cloudflare-stream",
  name: "Cloudflare Stream",
  scheme: pairMac("webhook-signature", { key: "sig1", timeKey: "time" }),
  eventId: [byContent],
  identity: {
    why: "The body holds the video, its state, and when it was modified.",
    source: "https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/",
  },
  eventType: [inBody("status.state")],
  secretHelp: "The secret in the response to the call that sets the webhook.",
  whereToPaste:
    "Call PUT /accounts/{account}/stream/webhook with the catch URL as notificationUrl; the response holds the secret.",
  docsUrl: "https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/",
  proof: { describedBy: "provider" },
};
