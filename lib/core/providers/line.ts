import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const line: Provider = {
  id: "line",
  name: "LINE",
  scheme: bodyMac("x-line-signature", { encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why: "Each event has its own webhookEventId, which a redelivery keeps.",
    source: "npm @line/bot-sdk",
  },
  eventType: [inBody("events.0.type")],
  batch: eventsAt("events", {
    keepsEnvelope: true,
    eventId: [["webhookEventId"]],
    eventType: [["type"]],
  }),
  secretHelp: "The Channel secret. Not the channel access token.",
  whereToPaste:
    "LINE Developers Console → your channel → Messaging API → Webhook URL: " +
    "paste the catch URL; Basic settings shows the Channel secret.",
  docsUrl: "https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/",
  proof: { examples: 1, describedBy: "provider" },
  marks: { userAgent: /^LineBotWebhook\// },
};
