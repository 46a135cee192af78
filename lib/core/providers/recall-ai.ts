import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const recallAi: Provider = {
  id: "recall-ai",
  name: "Recall.ai",
  ...byStandardWebhooks,
  eventType: [inBody("event")],
  whereToPaste:
    "Dashboard → Webhooks → Add Endpoint: paste the catch URL and copy the verification secret.",
  docsUrl: "https://docs.recall.ai/docs/authenticating-requests-from-recallai",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
