import type { Provider } from "./shapes/provider.ts";
import { standardIds, standardScheme } from "./shapes/standard-webhooks.ts";

const whsecHelp =
  "The complete signing secret, including whsec_. The part after the prefix is decoded as base64.";

export const standardWebhooks: Provider = {
  id: "standard-webhooks",
  name: "Standard Webhooks",
  scheme: standardScheme("webhook", { prefixRequired: false }),
  eventId: standardIds("webhook"),
  identity: {
    why: "Each message has its own webhook-id, which is signed and stays the same when it is sent again.",
    source:
      "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
  },
  eventType: [{ from: "body", path: "type" }],
  secretHelp: whsecHelp,
  whereToPaste:
    "In the provider's webhook settings, add an endpoint with the catch URL and copy its signing secret.",
  docsUrl: "https://www.standardwebhooks.com",
  proof: { package: "standardwebhooks", examples: 1, describedBy: "provider" },
  secretStartsWith: "whsec_",
  listing: { group: "scheme", place: 1 },
};
