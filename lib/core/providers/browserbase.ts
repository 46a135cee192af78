import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const browserbase: Provider = {
  id: "browserbase",
  name: "Browserbase",
  ...byStandardWebhooks,
  whereToPaste: "Dashboard → Settings → Webhooks: paste the catch URL and copy the signing secret.",
  docsUrl: "https://docs.browserbase.com",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
