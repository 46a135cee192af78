import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const fathom: Provider = {
  id: "fathom",
  name: "Fathom",
  ...byStandardWebhooks,
  whereToPaste:
    "User Settings → API Access → Add Webhook: paste the catch URL and copy the secret.",
  docsUrl: "https://developers.fathom.ai/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
