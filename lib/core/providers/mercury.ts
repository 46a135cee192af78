import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with `verifySignature` of https://github.com/MercuryTechnologies/n8n-nodes-mercury on
 * 2026-11-28, which takes the secret as text. Others decode it, so both keys are tried.
 */
export const mercury: Provider = {
  id: "mercury",
  name: "Mercury",
  scheme: { ...pairMac("mercury-signature"), secret: { decode: "base64", orText: true } },
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event, as in the Events API; resourceId is the transaction's.",
    source: "https://docs.mercury.com/reference/webhooks",
  },
  eventType: [inBody("operationType"), inBody("resourceType")],
  secretHelp: "The webhook's secret. It is tried as text, and decoded as base64.",
  whereToPaste:
    "POST /api/v1/webhooks with the catch URL as url; the response has the webhook's secret.",
  docsUrl: "https://docs.mercury.com/reference/webhooks",
  proof: { describedBy: "provider" },
};
