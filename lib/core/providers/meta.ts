import { eventsAt } from "./shapes/events-at.ts";
import { echoQuery } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** JSON is signed as sent, with non-ASCII as \uXXXX. */
export const meta: Provider = {
  id: "meta",
  name: "Meta (Facebook, Instagram, WhatsApp)",
  scheme: bodyMac("x-hub-signature-256", { prefix: "sha256=" }),
  eventId: [byContent],
  identity: {
    why:
      "Entries have no id of their own. Each holds its object, its " +
      "changes or messages with their ids, and their times.",
    source: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
  },
  eventType: [inBody("entry.0.changes.0.field"), inBody("object")],
  batch: eventsAt("entry", { keepsEnvelope: true, eventType: [["changes.0.field"]] }),
  secretHelp: "The app's App Secret. Not the verify token and not an access token.",
  whereToPaste:
    "developers.facebook.com → your app → Webhooks: paste the catch URL as Callback URL " +
    "and the hook's verify token as Verify token; App settings → Basic shows the App Secret.",
  docsUrl: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
  proof: { describedBy: "provider" },
  handshakes: [
    {
      ...echoQuery("hub.challenge"),
      when: [{ ...inQuery("hub.mode"), equals: "subscribe" }, inQuery("hub.challenge")],
      proof: { verifyToken: inQuery("hub.verify_token") },
    },
  ],
  marks: {
    userAgent: /^facebookexternalua|^Webhooks\/1/,
    body: [
      {
        path: "object",
        is: /^(?:page|instagram|whatsapp_business_account|user|permissions)$/,
        why: "its body has an object and entries as Meta's have",
      },
    ],
  },
};
