import { hubspotBatch, hubspotIdentity, hubspotSecret } from "./shapes/hubspot.ts";
import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Events come in batches, signed with the time. */
export const hubspot: Provider = {
  id: "hubspot",
  name: "HubSpot (v3)",
  scheme: stampedMac("x-hubspot-signature-v3", "x-hubspot-request-timestamp", {
    template: "{method}{decoded_url}{body}{timestamp}",
    encoding: "base64",
    unit: "ms",
  }),
  eventId: [byContent],
  identity: hubspotIdentity,
  eventType: [inBody("0.subscriptionType")],
  batch: hubspotBatch,
  secretHelp: hubspotSecret,
  whereToPaste:
    "Development → your app (older ones: Legacy apps) → Webhooks: paste the catch URL " +
    "as Target URL, exactly as shown here; Auth shows the client secret.",
  docsUrl:
    "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 5,
  listing: { group: "used", place: 8 },
  marks: { userAgent: /^HubSpot/ },
};
