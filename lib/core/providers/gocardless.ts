import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** A delivery contains several events, so the delivery's id counts. */
export const gocardless: Provider = {
  id: "gocardless",
  name: "GoCardless",
  scheme: bodyMac("webhook-signature"),
  eventId: [inBody("meta.webhook_id"), byContent],
  identity: {
    why: "Each event of the list has its own id, which is the same when the list is sent again.",
    source: "npm gocardless-nodejs",
  },
  eventType: [inBody("events.0.resource_type")],
  batch: eventsAt("events", { eventId: [["id"]], eventType: [["resource_type", "action"]] }),
  secretHelp: "The webhook endpoint's secret, as typed or generated.",
  whereToPaste:
    "Dashboard → Developers → Create → Webhook endpoint: paste the catch URL and set the secret.",
  docsUrl: "https://developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks",
  proof: { package: "gocardless-nodejs", describedBy: "provider" },
};
