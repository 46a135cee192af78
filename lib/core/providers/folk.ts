import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const folk: Provider = {
  id: "folk",
  name: "Folk",
  ...byStandardWebhooks,
  whereToPaste:
    "Create a webhook over the API with the catch URL as targetUrl; the response has the secret.",
  docsUrl: "https://developer.folk.app",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
