import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const veriff: Provider = {
  id: "veriff",
  name: "Veriff",
  scheme: {
    ...bodyMac("x-hmac-signature"),
    signature: {
      sources: [
        { from: "header", name: "x-hmac-signature" },
        { from: "header", name: "vrf-hmac-signature" },
      ],
      format: { type: "bare" },
    },
  },
  eventId: [byContent],
  identity: {
    why:
      "A session has one id through all that happens to it. The body holds " +
      "the attempt, and the step or the decision with its time.",
    source: "https://devdocs.veriff.com/docs/decision-webhook",
  },
  eventType: [inBody("action"), inBody("verification.status")],
  secretHelp: "The Shared secret key of the integration. Not the API key.",
  whereToPaste:
    "Customer Portal → All integrations → your integration → Settings: paste the catch URL " +
    "as Webhook decisions URL or Webhook events URL; API keys shows the Shared secret key.",
  docsUrl: "https://devdocs.veriff.com/docs/hmac-authentication-and-endpoint-security",
  proof: { describedBy: "provider" },
};
