import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * `X-WC-Webhook-Delivery-ID` is a hash of the webhook and the second, so two events can share one.
 */
export const woocommerce: Provider = {
  id: "woocommerce",
  name: "WooCommerce",
  scheme: {
    ...bodyMac("x-wc-webhook-signature", { encoding: "base64" }),
    secret: { decode: "utf8", normalize: "html" },
  },
  eventId: [
    allOf(inHeader("x-wc-webhook-delivery-id"), byContent),
    { ...allOf(inHeader("x-wc-webhook-topic"), byContent), withinSeconds: 3_600 },
    { ...byContent, withinSeconds: 3_600 },
  ],
  identity: {
    why:
      "The delivery id only covers the second, and an action's body may " +
      "repeat, so both count. WooCommerce doesn't retry.",
    source:
      "https://woocommerce.github.io/code-reference/files/woocommerce-includes-class-wc-webhook.html",
  },
  eventType: [inHeader("x-wc-webhook-topic")],
  secretHelp: "The webhook's Secret, as its field shows it.",
  whereToPaste:
    "WooCommerce → Settings → Advanced → Webhooks → Add webhook: paste " +
    "the catch URL as Delivery URL and fill in Secret.",
  docsUrl: "https://woocommerce.com/document/webhooks/",
  proof: { describedBy: "provider" },
  /**
   * Sent when a webhook is enabled. Nothing else from WooCommerce looks like it: unsigned, without
   * any delivery headers, and the form `webhook_id=12` is the whole body.
   * https://woocommerce.github.io/code-reference/files/woocommerce-includes-class-wc-webhook.html
   */
  handshakes: [
    {
      name: "ping",
      methods: ["POST"],
      when: [
        { ...inHeader("x-wc-webhook-signature"), isAbsent: true },
        { ...inHeader("x-wc-webhook-topic"), isAbsent: true },
        { ...inHeader("user-agent"), matches: /^WooCommerce\/\S+ Hookshot/ },
        { from: "form", name: "webhook_id", matches: /^\d{1,20}$/, isOnly: true },
      ],
      proof: "none",
      reply: { kind: "respond" },
    },
  ],
  marks: { userAgent: /^WooCommerce\// },
};
