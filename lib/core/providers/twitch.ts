import { challenge } from "./shapes/handshakes.ts";
import { stampedMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const twitch: Provider = {
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
  identity: {
    why: "Each message has its own id, which is signed and stays the same on retries.",
    source: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
  },
  eventType: [inHeader("twitch-eventsub-subscription-type"), inBody("subscription.type")],
  secretHelp: "The secret that you gave in the subscription's transport (10 to 100 characters).",
  isSecretChosen: true,
  whereToPaste:
    "Create the EventSub subscription over the API with the catch URL as transport.callback and a secret of your own.",
  docsUrl: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
  proof: { describedBy: "provider" },
  handshakes: [
    {
      name: "callback verification",
      methods: ["POST"],
      when: [
        { ...inHeader("twitch-eventsub-message-type"), equals: "webhook_callback_verification" },
      ],
      proof: "signature",
      respondsWhilePending: true,
      reply: {
        kind: "respond",
        challenge: inBody("challenge"),
        body: { type: "text", text: [challenge] },
      },
    },
  ],
};
