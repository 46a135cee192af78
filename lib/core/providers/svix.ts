import type { Provider } from "./shapes/provider.ts";
import { standardIds, standardScheme } from "./shapes/standard-webhooks.ts";

const whsecHelp =
  "The complete signing secret, including whsec_. The part after the prefix is decoded as base64.";

export const svix: Provider = {
  id: "svix",
  name: "Svix",
  scheme: standardScheme("svix", { prefixRequired: false }),
  eventId: standardIds("svix"),
  identity: {
    why: "Each message has its own webhook-id, which is signed and stays the same when it is sent again.",
    source: "https://docs.svix.com/receiving/verifying-payloads/how-manual",
  },
  eventType: [
    { from: "body", path: "type" },
    { from: "body", path: "eventType" },
  ],
  secretHelp: whsecHelp,
  whereToPaste:
    "In the provider's Svix portal: Endpoints → Add Endpoint with the catch URL, then copy its Signing Secret.",
  docsUrl: "https://docs.svix.com/receiving/verifying-payloads/how-manual",
  proof: { package: "svix", describedBy: "provider" },
  secretStartsWith: "whsec_",
  marks: { userAgent: /^Svix-Webhooks\// },
};
