import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const calendly: Provider = {
  id: "calendly",
  name: "Calendly",
  scheme: pairMac("calendly-webhook-signature", { window: 180 }),
  eventId: [byContent],
  identity: {
    why: "The body holds the invitee's URI, the event, and its time to the microsecond.",
    source: "https://developer.calendly.com/api-docs/edca8074633f8-webhook-payload",
  },
  eventType: [inBody("event")],
  secretHelp: "The signing_key that you gave when you made the subscription.",
  isSecretChosen: true,
  whereToPaste:
    "Create the subscription over the API (POST /webhook_subscriptions) " +
    "with the catch URL as url and a signing_key of your own.",
  docsUrl: "https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures",
  proof: { describedBy: "provider" },
  listing: { group: "used", place: 11 },
};
