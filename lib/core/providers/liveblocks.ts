import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardScheme } from "./shapes/standard-webhooks.ts";

export const liveblocks: Provider = {
  id: "liveblocks",
  name: "Liveblocks",
  ...byStandardWebhooks,
  scheme: standardScheme("webhook", { prefixRequired: true }),
  whereToPaste:
    "Project → Webhooks → Create endpoint: paste the catch URL and copy the signing secret.",
  docsUrl: "https://liveblocks.io/docs/platform/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
