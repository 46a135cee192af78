import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const customerIo: Provider = {
  id: "customer-io",
  name: "Customer.io",
  scheme: stampedMac("x-cio-signature", "x-cio-timestamp", { template: "v0:{timestamp}:{body}" }),
  eventId: [inBody("event_id")],
  identity: {
    why: "event_id is that of the event, and stays the same on retries.",
    source: "https://docs.customer.io/journeys/webhooks/",
  },
  eventType: [inBody("metric"), inBody("object_type")],
  secretHelp: "The webhook's signing key.",
  whereToPaste:
    "Integrations → Reporting Webhooks → Add: paste the catch URL; the signing key is on the webhook's page.",
  docsUrl: "https://docs.customer.io/journeys/webhooks/",
  proof: { describedBy: "others" },
};
