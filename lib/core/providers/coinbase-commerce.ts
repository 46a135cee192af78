import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The id at the top level of the body differs with each attempt; the event's id doesn't. */
export const coinbaseCommerce: Provider = {
  id: "coinbase-commerce",
  name: "Coinbase Commerce",
  scheme: bodyMac("x-cc-webhook-signature"),
  eventId: [inBody("event.id")],
  identity: {
    why: "event.id stays the same on retries; the id beside it is that of the delivery.",
    source: null,
  },
  eventType: [inBody("event.type")],
  secretHelp: "The Webhook shared secret of the account.",
  whereToPaste:
    "Settings → Notifications → Webhook subscriptions → Add an endpoint: " +
    "paste the catch URL; Show shared secret is beside it.",
  docsUrl: "https://docs.cdp.coinbase.com/commerce/api-architecture/webhooks-security",
  proof: { describedBy: "provider" },
};
