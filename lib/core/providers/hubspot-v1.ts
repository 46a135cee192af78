import { hubspotBatch, hubspotIdentity, hubspotSecret } from "./shapes/hubspot.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** A plain digest instead of an HMAC, and without a time: use v3 if possible. */
export const hubspotV1: Provider = {
  id: "hubspot-v1",
  name: "HubSpot (v1, old)",
  scheme: {
    ...bodyMac("x-hubspot-signature"),
    mac: "digest",
    signed: { template: "{secret}{body}" },
    requiredHeaders: [{ name: "x-hubspot-signature-version", value: "v1" }],
  },
  eventId: [byContent],
  identity: hubspotIdentity,
  eventType: [inBody("0.subscriptionType")],
  batch: hubspotBatch,
  secretHelp: hubspotSecret,
  whereToPaste:
    "Your app → Webhooks: paste the catch URL as Target URL; Auth shows the client secret.",
  docsUrl:
    "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
  proof: { examples: 1, describedBy: "provider" },
  marks: { userAgent: /^HubSpot/ },
};
