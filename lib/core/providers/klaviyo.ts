import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * System webhooks, created by API. The Webhook action of a flow isn't signed. `Klaviyo-Timestamp`
 * is signed as sent, but has no window: it comes in two formats, and some are hours off.
 */
export const klaviyo: Provider = {
  id: "klaviyo",
  name: "Klaviyo",
  scheme: {
    ...bodyMac("klaviyo-signature"),
    signed: {
      template: "{body}{sent_at}",
      values: { sent_at: { from: "header", name: "klaviyo-timestamp" } },
    },
  },
  eventId: [byContent],
  identity: {
    why: "Each event of a body has an external_id of its own, which Klaviyo names for this.",
    source: "https://developers.klaviyo.com/en/docs/system-webhooks",
  },
  replay: { isOn: true, why: "the ids of the events and the microsecond of sending are signed" },
  eventType: [inBody("data.0.topic")],
  batch: eventsAt("data", { eventId: [["external_id"]], eventType: [["topic"]] }),
  secretHelp:
    "The secret_key that you gave when you made the webhook (16 characters or more), used as text.",
  isSecretChosen: true,
  whereToPaste:
    "Create the webhook over the API (POST /api/webhooks) with the " +
    "catch URL as endpoint_url and a secret_key of your own.",
  docsUrl: "https://developers.klaviyo.com/en/docs/system-webhooks",
  proof: { describedBy: "others" },
};
