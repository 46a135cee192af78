import type { Provider } from "../provider.ts";

/**
 * Paddle's own package allows 5 s by default, which a machine whose clock nobody looks after fails with every delivery. A
 * minute is as safe here: what comes twice is told by its `event_id`, long after any window. The package takes only the
 * last `h1` of several; here any may match, as while a secret is rotated.
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
    timestamp: { source: { from: "part", key: "ts" }, unit: "s", pastSeconds: 60, futureSeconds: 60 },
  },
  eventId: [{ from: "body", path: "event_id" }],
  eventType: [{ from: "body", path: "event_type" }],
  secretHelp: "The secret key of the notification destination (pdl_ntfset_…), whole. Not an API key.",
  whereToPaste:
    "Paddle → Developer tools → Notifications → New destination (webhook): paste the catch URL, then edit the destination to see its secret key.",
  docsUrl: "https://developer.paddle.com/webhooks/signature-verification",
  secretStartsWith: "pdl_ntfset_",
};
