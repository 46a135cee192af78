import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardIds, standardScheme } from "./shapes/standard-webhooks.ts";

export const brex: Provider = {
  id: "brex",
  name: "Brex",
  ...byStandardWebhooks,
  scheme: standardScheme("svix", { prefixRequired: false }),
  eventId: standardIds("svix"),
  identity: {
    why: "Each message has its own svix-id, which stays the same when it is sent again.",
    source: "https://docs.svix.com/receiving/verifying-payloads/how-manual",
  },
  eventType: [inBody("event_type")],
  whereToPaste:
    "Register the catch URL with POST /v1/webhooks; GET /v1/webhooks/secrets answers with the signing secret.",
  docsUrl: "https://developer.brex.com/docs/webhooks/",
  proof: { package: "svix", describedBy: "others" },
  marks: { userAgent: /^Svix-Webhooks\// },
};
