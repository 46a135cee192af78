import type { Provider } from "./shapes/provider.ts";

/**
 * Paddle's own package allows 5 s by default, which fails with any unsynchronized clock. A minute
 * is as safe here: `event_id` identifies repeats long after any window. The package only reads the
 * last `h1` of several; here any may match, as during a secret rotation.
 */
export const paddle: Provider = {
  id: "paddle",
  name: "Paddle Billing",
  scheme: {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "paddle-signature" }],
      format: { type: "pairs", itemSeparator: ";", keySeparator: "=", key: "h1" },
    },
    signed: { template: "{timestamp}:{body}" },
    secret: { decode: "utf8" },
    timestamp: {
      source: { from: "part", key: "ts" },
      unit: "s",
      pastSeconds: 60,
      futureSeconds: 60,
    },
  },
  eventId: [{ from: "body", path: "event_id" }],
  identity: { why: "event_id is that of the event; notification_id is one per destination." },
  eventType: [{ from: "body", path: "event_type" }],
  secretHelp:
    "The secret key of the notification destination (pdl_ntfset_…), whole. Not an API key.",
  whereToPaste:
    "Paddle → Developer tools → Notifications → New destination (webhook): paste the catch URL, then edit the destination to see its secret key.",
  docsUrl: "https://developer.paddle.com/webhooks/signature-verification",
  proof: { package: "@paddle/paddle-node-sdk", describedBy: "provider" },
  secretStartsWith: "pdl_ntfset_",
  marks: {
    body: [{ path: "notification_id", is: /^ntf_/, why: "its notification_id starts with ntf_" }],
  },
};
