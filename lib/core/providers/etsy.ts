import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const etsy: Provider = {
  id: "etsy",
  name: "Etsy",
  ...byStandardWebhooks,
  eventType: [inBody("event_type")],
  whereToPaste:
    "Etsy developer portal → Manage your apps → Go to Webhook portal → Add Endpoint: paste " +
    "the catch URL and copy the signing secret. Only for apps with commercial access.",
  docsUrl: "https://developers.etsy.com/documentation/essentials/webhooks",
  proof: { package: "standardwebhooks", describedBy: "others" },
};
