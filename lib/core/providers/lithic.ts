import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const lithic: Provider = {
  id: "lithic",
  name: "Lithic",
  ...byStandardWebhooks,
  eventType: [inBody("event_type")],
  whereToPaste:
    "Dashboard → Program → Event subscriptions → Add: paste the catch URL and copy the subscription's secret.",
  docsUrl: "https://docs.lithic.com/docs/events-api",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
