import type { Provider } from "../provider.ts";

/** The key is the whole string with its `whsec_`, not decoded. `v0` is a decoy of test mode and is ignored. */
export const stripe: Provider = {
  id: "stripe",
  name: "Stripe",
  scheme: {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "stripe-signature" }],
      format: { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "v1" },
    },
    signed: { template: "{timestamp}.{body}" },
    secret: { decode: "utf8" },
    timestamp: { source: { from: "part", key: "t" }, unit: "s", pastSeconds: 300, futureSeconds: 300 },
  },
  eventId: [{ from: "body", path: "id" }],
  eventType: [{ from: "body", path: "type" }],
  secretHelp: "The endpoint's signing secret, whole, with its whsec_. Not an API key (sk_…).",
  whereToPaste:
    "Stripe Dashboard → Developers (Workbench) → Webhooks → Add destination → Webhook endpoint: paste the catch URL, then open the destination and reveal its signing secret.",
  docsUrl: "https://docs.stripe.com/webhooks/signature",
  secretStartsWith: "whsec_",
};
