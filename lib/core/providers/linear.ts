import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The time in the signed body counts: the `Linear-Timestamp` header isn't signed. */
export const linear: Provider = {
  id: "linear",
  name: "Linear",
  scheme: {
    ...bodyMac("linear-signature"),
    timestamp: {
      source: inBody("webhookTimestamp"),
      unit: "ms",
      pastSeconds: 60,
      futureSeconds: 60,
    },
  },
  eventId: [inHeader("linear-delivery")],
  identity: {
    why: "Each delivery has its own Linear-Delivery. We found no page that says whether a further try keeps it.",
    source: "https://linear.app/developers/webhooks",
  },
  eventType: [inHeader("linear-event"), inBody("type")],
  secretHelp: "The webhook's signing secret (lin_wh_…), whole.",
  whereToPaste:
    "Linear → Settings → API → Webhooks → New webhook: paste the catch " +
    "URL; the signing secret is on the webhook's page.",
  docsUrl: "https://linear.app/developers/webhooks",
  proof: { package: "@linear/sdk", describedBy: "provider" },
  secretStartsWith: "lin_wh_",
  marks: {
    userAgent: /^Linear-Webhook/,
    body: [{ path: "webhookTimestamp", is: /^\d{13}$/, why: "its body has webhookTimestamp" }],
  },
};
