import { challenge } from "./shapes/handshakes.ts";
import { byContent, inBody, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Strava doesn't sign: the catch URL is the secret, and an event only contains the subscription id.
 */
export const strava: Provider = {
  id: "strava",
  name: "Strava",
  scheme: { kind: "token", source: { from: "body", path: "subscription_id" } },
  eventId: [{ ...byContent, withinSeconds: 3600 }],
  identity: {
    why:
      "Events have no id, and one save can send several in the same second, which " +
      "differ in what they update. Strava retries within minutes.",
    source: "https://developers.strava.com/docs/webhooks/",
  },
  eventType: [inBody("aspect_type")],
  secretHelp:
    "The number of the subscription (subscription_id). Strava signs nothing, so keep the catch URL private too.",
  isSecretKnown: true,
  whereToPaste:
    "Create the subscription over the API (POST /api/v3/push_subscriptions) " +
    "with the catch URL as callback_url and the hook's verify token as " +
    "verify_token; the response's id is the subscription's number.",
  docsUrl: "https://developers.strava.com/docs/webhooks/",
  proof: { describedBy: "others" },
  handshakes: [
    {
      name: "hub.challenge",
      methods: ["GET"],
      when: [{ ...inQuery("hub.mode"), equals: "subscribe" }, inQuery("hub.challenge")],
      proof: { verifyToken: inQuery("hub.verify_token") },
      reply: {
        kind: "respond",
        challenge: inQuery("hub.challenge"),
        body: { type: "json", fields: { "hub.challenge": [challenge] } },
      },
    },
  ],
  respondWithinSeconds: 2,
  marks: {
    body: [
      {
        path: "aspect_type",
        is: /^(?:create|update|delete)$/,
        why: "its body has an aspect_type as Strava's have",
      },
    ],
  },
};
