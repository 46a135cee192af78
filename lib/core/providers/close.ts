import { stampedMac } from "./shapes/mac.ts";
import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const close: Provider = {
  id: "close",
  name: "Close",
  scheme: {
    ...stampedMac("close-sig-hash", "close-sig-timestamp", { template: "{timestamp}{body}" }),
    secret: { decode: "hex" },
  },
  eventId: [allOf(inBody("event.id"), inBody("event.date_updated")), inBody("event.id")],
  identity: {
    why:
      "Each event has an id of its own. Close can add later changes " +
      "to an event, which then has another date_updated.",
    source: "https://developer.close.com/api/resources/webhooks",
  },
  eventType: [inBody("event.action")],
  secretHelp:
    "The signature_key of the webhook subscription (hexadecimal), which the response to creating it holds.",
  whereToPaste:
    "Create the subscription over the API (POST /api/v1/webhook/) with the " +
    "catch URL as url and copy signature_key from the response.",
  docsUrl: "https://developer.close.com/api/resources/webhooks",
  proof: { describedBy: "provider" },
};
