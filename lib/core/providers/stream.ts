import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const stream: Provider = {
  id: "stream",
  name: "Stream (GetStream)",
  scheme: { ...bodyMac("x-signature"), signed: { template: "{body}", gunzip: true } },
  eventId: [inHeader("x-webhook-id"), byContent],
  identity: {
    why:
      "Each event has its own X-Webhook-Id, and X-Webhook-Attempt counts the " +
      "tries; without it the body holds the time to the nanosecond.",
    source: "https://getstream.io/chat/docs/node/webhooks_overview/",
  },
  eventType: [inBody("type")],
  secretHelp: "The app's API secret. Not the API key.",
  whereToPaste:
    "Stream Dashboard → your app → Chat Overview → Webhooks: paste the " +
    "catch URL; the API secret is on the app's overview.",
  docsUrl: "https://getstream.io/chat/docs/node/webhooks_overview/",
  proof: { package: "stream-chat", describedBy: "provider" },
};
