/** Shops and what they ship. */
import { wooCommerceHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, inBody, inHeader } from "./shapes.ts";

export const commerce: readonly Provider[] = [
  /** `X-WC-Webhook-Delivery-ID` is a hash of the webhook and the second, so two events can share one. */
  {
    id: "woocommerce",
    name: "WooCommerce",
    scheme: {
      ...bodyMac("x-wc-webhook-signature", { encoding: "base64" }),
      secret: { decode: "utf8", normalize: "html" },
    },
    eventId: [byContent],
    eventType: [inHeader("x-wc-webhook-topic")],
    secretHelp: "The webhook's Secret, as its field shows it.",
    whereToPaste:
      "WooCommerce → Settings → Advanced → Webhooks → Add webhook: paste the catch URL as Delivery URL and fill in Secret.",
    docsUrl: "https://woocommerce.com/document/webhooks/",
    handshakes: wooCommerceHandshakes,
  },
  /** BigCommerce documents no signature: a header of its own has to carry the token. */
  {
    id: "bigcommerce",
    name: "BigCommerce",
    scheme: { kind: "token", source: { from: "header", name: "authorization" } },
    eventId: [byContent],
    eventType: [inBody("scope")],
    secretHelp: "The value that you give the header Authorization when you make the webhook.",
    whereToPaste:
      'Create the webhook over the API (POST /v3/hooks) with the catch URL as destination and headers {"Authorization": "<a long random value>"}.',
    docsUrl: "https://docs.bigcommerce.com/docs/integrations/webhooks",
  },
  {
    id: "easypost",
    name: "EasyPost",
    scheme: {
      ...bodyMac("x-hmac-signature", { prefix: "hmac-sha256-hex=" }),
      secret: { decode: "utf8", normalize: "nfkd" },
    },
    eventId: [inBody("id")],
    eventType: [inBody("description")],
    secretHelp: "The webhook secret that you set when you made the webhook.",
    whereToPaste: "Account Settings → Webhooks → Add Webhook: paste the catch URL and set a webhook secret.",
    docsUrl: "https://docs.easypost.com/guides/webhooks-guide",
  },
];
