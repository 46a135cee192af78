import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const incidentIo: Provider = {
  id: "incident-io",
  name: "incident.io",
  ...byStandardWebhooks,
  eventType: [inBody("event_type")],
  whereToPaste:
    "Settings → Webhooks → Create endpoint: paste the catch URL and copy the endpoint's signing secret.",
  docsUrl: "https://docs.incident.io/integrations/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
