import { stampedMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const zendesk: Provider = {
  id: "zendesk",
  name: "Zendesk",
  scheme: stampedMac("x-zendesk-webhook-signature", "x-zendesk-webhook-signature-timestamp", {
    template: "{timestamp}{body}",
    encoding: "base64",
    unit: "rfc3339",
  }),
  eventId: [inHeader("x-zendesk-webhook-invocation-id")],
  identity: {
    why: "Each event has its own invocation id. We found no page that says whether a further try keeps it.",
    source: "https://developer.zendesk.com/documentation/webhooks/verifying/",
  },
  eventType: [inBody("type")],
  secretHelp:
    "The webhook's signing secret, which its page reveals. Tests before it is made have another.",
  whereToPaste:
    "Admin Center → Apps and integrations → Webhooks → Create webhook: " +
    "paste the catch URL; Reveal secret is on the webhook's page.",
  docsUrl: "https://developer.zendesk.com/documentation/webhooks/verifying/",
  proof: { describedBy: "provider" },
  marks: { userAgent: /^Zendesk/ },
};
