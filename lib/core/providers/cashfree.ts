import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const cashfree: Provider = {
  id: "cashfree",
  name: "Cashfree Payments",
  scheme: stampedMac("x-webhook-signature", "x-webhook-timestamp", {
    template: "{timestamp}{body}",
    encoding: "base64",
    unit: "ms",
  }),
  eventId: [byContent],
  identity: {
    why:
      "An order can have several payments, and there is no event id. The body " +
      "holds the payment, its status, and the time of the event.",
    source: "https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks",
  },
  eventType: [inBody("type")],
  secretHelp:
    "The Client Secret of the API key that made the webhook. For subscriptions, the webhook secret key.",
  whereToPaste:
    "Merchant Dashboard → Developers → Webhooks → Add webhook endpoint: paste " +
    "the catch URL; Developers → API Keys shows the Client Secret.",
  docsUrl: "https://www.cashfree.com/docs/payments/subscription/webhook-signature",
  proof: { describedBy: "provider" },
};
