import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Without a secret, the header contains words, which are rejected. */
export const calCom: Provider = {
  id: "cal-com",
  name: "Cal.com",
  scheme: bodyMac("x-cal-signature-256"),
  eventId: [allOf(inBody("createdAt"), byContent), { ...byContent, withinSeconds: 300 }],
  identity: {
    why:
      "The body holds the booking, what triggered the event, and its time to " +
      "the millisecond. A custom template may leave them out, so equal bodies " +
      "without a time are one event for five minutes only.",
    source:
      "https://github.com/calcom/cal.com/blob/main/packages/features/webhooks/lib/sendPayload.ts",
  },
  eventType: [inBody("triggerEvent")],
  secretHelp: "The Secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Developer → Webhooks → New: paste the catch URL as Subscriber URL and fill in Secret.",
  docsUrl: "https://cal.com/docs/developing/guides/automation/webhooks",
  proof: { describedBy: "provider" },
};
