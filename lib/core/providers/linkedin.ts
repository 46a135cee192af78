import { eventsAt } from "./shapes/events-at.ts";
import { challenge } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The text before the body prevents a challenge's response from being an event's signature. The
 * documentation can be read as if that text came before the signature too, so both are accepted.
 */
export const linkedin: Provider = {
  id: "linkedin",
  name: "LinkedIn",
  scheme: {
    ...bodyMac("x-li-signature"),
    signature: {
      sources: [{ from: "header", name: "x-li-signature" }],
      format: { type: "prefixed", prefix: "hmacsha256=", optional: true },
    },
    signed: { template: "hmacsha256={body}" },
  },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "LinkedIn names the notification id for this. A lead has none, so equal bodies, " +
      "which hold its time to the millisecond, are one event for a day.",
    source:
      "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-social-action-notifications",
  },
  eventType: [inBody("type")],
  batch: eventsAt("notifications", { eventId: [["notificationId"]], eventType: [["action"]] }),
  secretHelp: "The app's Client Secret. Not an access token.",
  whereToPaste:
    "Save the Client Secret in the hook first: LinkedIn asks for a proof of it. Then " +
    "LinkedIn developer portal → your app → Webhooks: paste the catch URL. For leads, give " +
    "it to the Lead Notification Subscriptions API. Auth shows the Client Secret.",
  docsUrl: "https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation",
  proof: { describedBy: "provider" },
  /** Repeated every two hours. */
  handshakes: [
    {
      name: "challengeCode",
      methods: ["GET"],
      when: [inQuery("challengeCode")],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inQuery("challengeCode"),
        challengePattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        body: {
          type: "json",
          fields: {
            challengeCode: [challenge],
            challengeResponse: [{ hmac: "sha256", encoding: "hex", of: [challenge] }],
          },
        },
      },
    },
  ],
  respondWithinSeconds: 3,
};
