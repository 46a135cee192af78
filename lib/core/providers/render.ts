import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const render: Provider = {
  id: "render",
  name: "Render",
  ...byStandardWebhooks,
  whereToPaste:
    "Workspace → Integrations → Webhooks → Create Webhook: paste the catch URL and copy the signing secret.",
  docsUrl: "https://render.com/docs/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
