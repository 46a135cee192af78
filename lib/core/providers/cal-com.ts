import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Without a secret, the header contains words, which are rejected. */
export const calCom: Provider = {
  id: "cal-com",
  name: "Cal.com",
  scheme: bodyMac("x-cal-signature-256"),
  eventId: [byContent],
  identity: {
    why: "The body holds the booking, what triggered the event, and its time to the millisecond.",
  },
  eventType: [inBody("triggerEvent")],
  secretHelp: "The Secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Developer → Webhooks → New: paste the catch URL as Subscriber URL and fill in Secret.",
  docsUrl: "https://cal.com/docs/developing/guides/automation/webhooks",
  proof: { describedBy: "provider" },
};
