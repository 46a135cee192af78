/** Messages, calls and streams. */
import {
  metaHandshakes,
  twitchHandshakes,
  xHandshakes,
  zoomHandshakes,
} from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, pairMac, stampedMac } from "./shapes.ts";

export const chat: readonly Provider[] = [
  {
    id: "telegram",
    name: "Telegram Bot API",
    scheme: { kind: "token", source: { from: "header", name: "x-telegram-bot-api-secret-token" } },
    eventId: [inBody("update_id")],
    eventType: [],
    secretHelp: "The secret_token that you gave to setWebhook. Not the bot's token.",
    whereToPaste: "Call setWebhook of the Bot API with the catch URL as url and a secret_token of your own.",
    docsUrl: "https://core.telegram.org/bots/api#setwebhook",
    confirmed: false,
  },
  {
    id: "line",
    name: "LINE",
    scheme: bodyMac("x-line-signature", { encoding: "base64" }),
    eventId: [byContent],
    eventType: [inBody("events.0.type")],
    batch: eventsAt("events", { keepsEnvelope: true, eventId: [["webhookEventId"]], eventType: [["type"]] }),
    secretHelp: "The Channel secret. Not the channel access token.",
    whereToPaste:
      "LINE Developers Console → your channel → Messaging API → Webhook URL: paste the catch URL; Basic settings shows the Channel secret.",
    docsUrl: "https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/",
  },
  /** JSON is signed as sent, with non-ASCII as \uXXXX. */
  {
    id: "meta",
    name: "Meta (Facebook, Instagram, WhatsApp)",
    scheme: bodyMac("x-hub-signature-256", { prefix: "sha256=" }),
    eventId: [byContent],
    eventType: [inBody("entry.0.changes.0.field"), inBody("object")],
    batch: eventsAt("entry", { keepsEnvelope: true, eventType: [["changes.0.field"]] }),
    secretHelp: "The app's App Secret. Not the verify token and not an access token.",
    whereToPaste:
      "developers.facebook.com → your app → Webhooks: paste the catch URL as Callback URL and the hook's verify token as Verify token; App settings → Basic shows the App Secret.",
    docsUrl: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
    handshakes: metaHandshakes,
  },
  /** `sha256=` is followed by base64. */
  {
    id: "x",
    name: "X (Twitter)",
    scheme: bodyMac("x-twitter-webhooks-signature", { prefix: "sha256=", encoding: "base64" }),
    eventId: [byContent],
    eventType: [],
    secretHelp: "The app's API key secret (consumer secret).",
    whereToPaste: "Register the catch URL with POST /2/webhooks; Keys and tokens shows the API key secret.",
    docsUrl: "https://docs.x.com/x-api/webhooks/quickstart",
    handshakes: xHandshakes,
  },
  {
    id: "tiktok",
    name: "TikTok",
    scheme: pairMac("tiktok-signature", { key: "s" }),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The app's client secret.",
    whereToPaste:
      "developers.tiktok.com → your app → Webhooks: paste the catch URL as Callback URL; App details shows the client secret.",
    docsUrl: "https://developers.tiktok.com/doc/webhooks-verification",
    confirmed: false,
  },
  {
    id: "twitch",
    name: "Twitch EventSub",
    scheme: {
      ...stampedMac("twitch-eventsub-message-signature", "twitch-eventsub-message-timestamp", {
        template: "{id}{timestamp}{body}",
        unit: "rfc3339",
        window: 600,
        prefix: "sha256=",
      }),
      signed: {
        template: "{id}{timestamp}{body}",
        values: { id: { from: "header", name: "twitch-eventsub-message-id" } },
      },
    },
    eventId: [inHeader("twitch-eventsub-message-id")],
    eventType: [inHeader("twitch-eventsub-subscription-type"), inBody("subscription.type")],
    secretHelp: "The secret that you gave in the subscription's transport (10 to 100 characters).",
    whereToPaste:
      "Create the EventSub subscription over the API with the catch URL as transport.callback and a secret of your own.",
    docsUrl: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
    handshakes: twitchHandshakes,
  },
  /** The time is in the body, and nothing says that a second try is signed anew. */
  {
    id: "zoom",
    name: "Zoom",
    scheme: stampedMac("x-zm-signature", "x-zm-request-timestamp", {
      template: "v0:{timestamp}:{body}",
      prefix: "v0=",
    }),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The app's Secret Token. Not the client secret.",
    whereToPaste:
      "marketplace.zoom.us → Manage → your app → Features → Access: copy the Secret Token, add an event subscription, paste the catch URL as Event notification endpoint URL and let Zoom validate it.",
    docsUrl: "https://developers.zoom.us/docs/api/webhooks/",
    handshakes: zoomHandshakes,
    answerWithinSeconds: 3,
  },
  {
    id: "ms-teams",
    name: "Microsoft Teams (outgoing webhook)",
    scheme: {
      ...bodyMac("authorization", { prefix: "HMAC ", encoding: "base64" }),
      secret: { decode: "base64" },
    },
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The security token that Teams shows once: base64, which is decoded.",
    whereToPaste:
      "Team → Manage team → Apps → Create an outgoing webhook: paste the catch URL and copy the security token.",
    docsUrl:
      "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook",
    confirmed: false,
    answerWithinSeconds: 5,
  },
  {
    id: "stream",
    name: "Stream (GetStream)",
    scheme: bodyMac("x-signature"),
    eventId: [inHeader("x-webhook-id"), byContent],
    eventType: [inBody("type")],
    secretHelp: "The app's API secret. Not the API key.",
    whereToPaste:
      "Stream Dashboard → your app → Chat Overview → Webhooks: paste the catch URL with compression switched off; the API secret is on the app's overview.",
    docsUrl: "https://getstream.io/chat/docs/node/webhooks_overview/",
  },
  /** The key that `X-Pusher-Key` names decides which secret signed; several can be active here. */
  {
    id: "pusher",
    name: "Pusher Channels",
    scheme: bodyMac("x-pusher-signature"),
    eventId: [byContent],
    eventType: [inBody("events.0.name")],
    batch: eventsAt("events", { keepsEnvelope: true, otherwise: "place", eventType: [["name"]] }),
    secretHelp: "The app's secret, of the App Keys that are in use.",
    whereToPaste: "Channels → your app → Webhooks → Add: paste the catch URL; App Keys shows the secret.",
    docsUrl: "https://pusher.com/docs/channels/server_api/webhooks/",
    answerWithinSeconds: 4,
  },
];
