import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const airwallex: Provider = {
  id: "airwallex",
  name: "Airwallex",
  scheme: stampedMac("x-signature", "x-timestamp", { template: "{timestamp}{body}", unit: "ms" }),
  eventId: [inBody("id")],
  identity: {
    why: "Each event has an id of its own, which Airwallex keeps on every attempt.",
    source: "https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events",
  },
  eventType: [inBody("name")],
  secretHelp: "The secret key of the webhook, used as text. Each notification URL has its own.",
  whereToPaste:
    "Web app → Developer → Webhooks → New webhook: paste the catch URL as " +
    "Notification URL; the webhook's page shows its secret key.",
  docsUrl: "https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      { path: "account_id", is: /^acct_/, why: "its account_id starts with acct_" },
      { path: "name", is: /^[a-z_]+(?:\.[a-z_]+)+$/, why: "its type is in the field name" },
    ],
  },
};
