import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The URL is part of the signed text, exactly as registered with Square, including the last slash.
 */
export const square: Provider = {
  id: "square",
  name: "Square",
  scheme: {
    ...bodyMac("x-square-hmacsha256-signature", { encoding: "base64" }),
    signed: { template: "{url}{body}" },
  },
  eventId: [inBody("event_id")],
  identity: {
    why: "event_id is that of the event, and stays the same on retries.",
    source: "https://developer.squareup.com/docs/webhooks/v2webhook-events-tech-ref",
  },
  eventType: [inBody("type")],
  secretHelp: "The subscription's Signature Key. Not an access token.",
  whereToPaste:
    "Developer Console → your application → Webhooks → Subscriptions → Add: paste " +
    "the catch URL exactly as shown here, then copy the Signature Key.",
  docsUrl: "https://developer.squareup.com/docs/webhooks/step3validate",
  proof: { examples: 2, describedBy: "provider" },
  marks: { userAgent: /^Square/ },
};
