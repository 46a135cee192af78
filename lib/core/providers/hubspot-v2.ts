import { hubspotSecret } from "./shapes/hubspot.ts";
import { bodyMac } from "./shapes/mac.ts";
import type { Provider } from "./shapes/provider.ts";

export const hubspotV2: Provider = {
  id: "hubspot-v2",
  name: "HubSpot (v2, workflows)",
  scheme: {
    ...bodyMac("x-hubspot-signature"),
    mac: "digest",
    signed: { template: "{secret}{method}{url}{body}" },
    requiredHeaders: [{ name: "x-hubspot-signature-version", value: "v2" }],
  },
  eventId: [],
  identity: {
    why: "A workflow sends the record as it is, without an id or time of the event. Every delivery is an event.",
    source: null,
  },
  eventType: [],
  secretHelp: hubspotSecret,
  whereToPaste:
    "Workflow → Send a webhook: paste the catch URL exactly as shown here and " +
    "choose the signature of your app; Auth shows the client secret.",
  docsUrl:
    "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
  proof: { examples: 1, describedBy: "provider" },
  marks: { userAgent: /^HubSpot/ },
};
