import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const anthropic: Provider = {
  id: "anthropic",
  name: "Anthropic",
  ...byStandardWebhooks,
  whereToPaste:
    "Claude Console → Settings → Webhooks → Add endpoint: paste the catch URL and copy the signing secret.",
  docsUrl: "https://platform.claude.com/docs",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
