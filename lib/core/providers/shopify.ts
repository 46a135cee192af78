import type { Provider } from "./shapes/provider.ts";

/** Shopify's newer Events drop the `X-` of every header; the rest is the same. */
export const shopify: Provider = {
  id: "shopify",
  name: "Shopify",
  scheme: {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "base64",
    signature: {
      sources: [
        { from: "header", name: "x-shopify-hmac-sha256" },
        { from: "header", name: "shopify-hmac-sha256" },
      ],
      format: { type: "bare" },
    },
    signed: { template: "{body}" },
    secret: { decode: "utf8" },
  },
  eventId: [
    { from: "header", name: "x-shopify-webhook-id" },
    { from: "header", name: "shopify-webhook-id" },
  ],
  identity: {
    why:
      "X-Shopify-Webhook-Id stays the same on retries. " +
      "X-Shopify-Event-Id would be shared by all webhooks of one action.",
    source: "https://shopify.dev/docs/apps/build/webhooks/verify-deliveries",
  },
  eventType: [
    { from: "header", name: "x-shopify-topic" },
    { from: "header", name: "shopify-topic" },
  ],
  secretHelp:
    "For an app: its client secret (API secret key). For webhooks made in the " +
    "store's admin: the key shown below the list of webhooks.",
  whereToPaste:
    "Store admin → Settings → Notifications → Webhooks → Create webhook: paste " +
    "the catch URL, format JSON. In an app, use the catch URL as the uri of " +
    "the subscription in shopify.app.toml, or over the Admin API; its settings " +
    "in the Dev Dashboard show the client secret.",
  docsUrl: "https://shopify.dev/docs/apps/build/webhooks/verify-deliveries",
  proof: { package: "@shopify/shopify-api", describedBy: "provider" },
  listing: { group: "used", place: 3 },
  marks: { userAgent: /^Shopify-Captain-Hook/ },
};
