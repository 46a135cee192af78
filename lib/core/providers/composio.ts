import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const composio: Provider = {
  id: "composio",
  name: "Composio",
  ...byStandardWebhooks,
  whereToPaste: "Project Settings → Webhook: paste the catch URL and copy the webhook secret.",
  docsUrl: "https://docs.composio.dev/docs/using-triggers",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
