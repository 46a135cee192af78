import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** On a 4xx response PagerDuty drops the event permanently. */
export const pagerduty: Provider = {
  id: "pagerduty",
  name: "PagerDuty (v3)",
  scheme: pairMac("x-pagerduty-signature", { timeKey: null }),
  eventId: [inBody("event.id")],
  identity: {
    why: "event.id is that of the event, and stays the same on retries.",
    source: "https://developer.pagerduty.com/docs/webhooks-overview",
  },
  eventType: [inBody("event.event_type")],
  secretHelp: "The subscription's signing secret, shown once when it is made.",
  whereToPaste:
    "PagerDuty → Integrations → Generic Webhooks (v3) → New Webhook: paste the catch URL " +
    "and copy the secret that is shown. Save the secret in the hook before events arrive.",
  docsUrl: "https://developer.pagerduty.com/docs/webhooks-overview",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 5,
  marks: { userAgent: /^PagerDuty-Webhook\// },
};
