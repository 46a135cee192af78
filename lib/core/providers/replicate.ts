import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const replicate: Provider = {
  id: "replicate",
  name: "Replicate",
  ...byStandardWebhooks,
  eventType: [inBody("status")],
  whereToPaste:
    "Send the catch URL as webhook with each prediction; GET " +
    "/v1/webhooks/default/secret answers with the signing secret.",
  docsUrl: "https://replicate.com/docs/topics/webhooks/verify-webhook",
  proof: { package: "replicate", describedBy: "provider" },
};
