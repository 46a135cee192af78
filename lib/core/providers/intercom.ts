import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const intercom: Provider = {
  id: "intercom",
  name: "Intercom",
  scheme: bodyMac("x-hub-signature", { prefix: "sha1=", hash: "sha1" }),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the notification, and stays the same on retries.",
    source: "https://developers.intercom.com/docs/webhooks/webhook-models",
  },
  eventType: [inBody("topic")],
  secretHelp: "The app's client secret. Not an access token.",
  whereToPaste:
    "Developer Hub → your app → Webhooks: paste the catch URL as " +
    "Endpoint URL; Basic information shows the client secret.",
  docsUrl: "https://developers.intercom.com/docs/webhooks/setting-up-webhooks",
  proof: { describedBy: "provider" },
  marks: {
    userAgent: /^intercom/i,
    body: [{ path: "type", is: /^notification_event$/, why: "its type is notification_event" }],
  },
};
