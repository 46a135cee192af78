import type { Provider } from "./shapes/provider.ts";

/** The time in the signed body counts: the `Linear-Timestamp` header isn't signed. */
export const linear: Provider = {
  id: "linear",
  name: "Linear",
  scheme: {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "linear-signature" }],
      format: { type: "bare" },
    },
    signed: { template: "{body}" },
    secret: { decode: "utf8" },
    timestamp: {
      source: { from: "body", path: "webhookTimestamp" },
      unit: "ms",
      pastSeconds: 60,
      futureSeconds: 60,
    },
  },
  eventId: [{ from: "header", name: "linear-delivery" }],
  identity: {
    why: "Each delivery has its own Linear-Delivery. We found no page that says whether a further try keeps it.",
  },
  eventType: [
    { from: "header", name: "linear-event" },
    { from: "body", path: "type" },
  ],
  secretHelp: "The webhook's signing secret (lin_wh_…), whole.",
  whereToPaste:
    "Linear → Settings → API → Webhooks → New webhook: paste the catch URL; the signing secret is on the webhook's page.",
  docsUrl: "https://linear.app/developers/webhooks",
  proof: { package: "@linear/sdk", describedBy: "provider" },
  secretStartsWith: "lin_wh_",
  marks: {
    userAgent: /^Linear-Webhook/,
    body: [{ path: "webhookTimestamp", is: /^\d{13}$/, why: "its body has webhookTimestamp" }],
  },
};
