/** Money that moves. */
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, stampedMac } from "./shapes.ts";

export const payments: readonly Provider[] = [
  /** The URL is part of the signed text, as Square has it: to the last slash. */
  {
    id: "square",
    name: "Square",
    scheme: {
      ...bodyMac("x-square-hmacsha256-signature", { encoding: "base64" }),
      signed: { template: "{url}{body}" },
    },
    eventId: [inBody("event_id")],
    eventType: [inBody("type")],
    secretHelp: "The subscription's Signature Key. Not an access token.",
    whereToPaste:
      "Developer Console → your application → Webhooks → Subscriptions → Add: paste the catch URL exactly as shown here, then copy the Signature Key.",
    docsUrl: "https://developer.squareup.com/docs/webhooks/step3validate",
  },
  /** Balance platform, banking and management webhooks. Payment notifications sign their items instead. */
  {
    id: "adyen-platform",
    name: "Adyen (platforms, management)",
    scheme: { ...bodyMac("hmacsignature", { encoding: "base64" }), secret: { decode: "hex" } },
    // Some of these events have no id of their own, and the signature stands for the content.
    eventId: [byContent],
    eventType: [inBody("type")],
    secretHelp: "The HMAC key of the webhook: 64 hexadecimal characters, which are decoded.",
    whereToPaste:
      "Customer Area → Developers → Webhooks → the webhook of your platform: paste the catch URL and generate the HMAC key.",
    docsUrl: "https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures",
    confirmed: false,
  },
  {
    id: "checkout-com",
    name: "Checkout.com",
    scheme: bodyMac("cko-signature"),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The signature key of the webhook action, as typed or generated.",
    whereToPaste:
      "Dashboard → Workflows → your workflow → Webhook action: paste the catch URL and set the signature key.",
    docsUrl: "https://www.checkout.com/docs/developer-resources/webhooks",
    confirmed: false,
  },
  {
    id: "razorpay",
    name: "Razorpay",
    scheme: bodyMac("x-razorpay-signature"),
    eventId: [inHeader("x-razorpay-event-id")],
    eventType: [inBody("event")],
    secretHelp: "The Secret that you typed for the webhook. Not the API key secret.",
    whereToPaste:
      "Dashboard → Account & Settings → Webhooks → Add New Webhook: paste the catch URL and fill in Secret.",
    docsUrl: "https://razorpay.com/docs/webhooks/validate-test/",
  },
  /** Several events come in one delivery, so what counts is the delivery. */
  {
    id: "gocardless",
    name: "GoCardless",
    scheme: bodyMac("webhook-signature"),
    eventId: [inBody("meta.webhook_id"), byContent],
    eventType: [inBody("events.0.resource_type")],
    batch: eventsAt("events", { eventId: [["id"]], eventType: [["resource_type", "action"]] }),
    secretHelp: "The webhook endpoint's secret, as typed or generated.",
    whereToPaste:
      "Dashboard → Developers → Create → Webhook endpoint: paste the catch URL and set the secret.",
    docsUrl: "https://developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks",
  },
  /** The id at the top of the body differs with each try; that of the event does not. */
  {
    id: "coinbase-commerce",
    name: "Coinbase Commerce",
    scheme: bodyMac("x-cc-webhook-signature"),
    eventId: [inBody("event.id")],
    eventType: [inBody("event.type")],
    secretHelp: "The Webhook shared secret of the account.",
    whereToPaste:
      "Settings → Notifications → Webhook subscriptions → Add an endpoint: paste the catch URL; Show shared secret is beside it.",
    docsUrl: "https://docs.cdp.coinbase.com/commerce/api-architecture/webhooks-security",
  },
  {
    id: "modern-treasury",
    name: "Modern Treasury",
    scheme: bodyMac("x-signature"),
    eventId: [byContent],
    eventType: [inHeader("x-topic"), inBody("event")],
    secretHelp: "The webhook endpoint's signing key.",
    whereToPaste: "Developers → Webhooks → Create: paste the catch URL and copy the signing key.",
    docsUrl: "https://docs.moderntreasury.com/platform/docs/webhooks",
  },
  {
    id: "paystack",
    name: "Paystack",
    scheme: bodyMac("x-paystack-signature", { hash: "sha512" }),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The secret key of the account (sk_live_… or sk_test_…), whole.",
    whereToPaste:
      "Dashboard → Settings → API Keys & Webhooks: paste the catch URL; the secret key is beside it.",
    docsUrl: "https://paystack.com/docs/payments/webhooks/",
    confirmed: false,
  },
  {
    id: "metronome",
    name: "Metronome",
    scheme: stampedMac("metronome-webhook-signature", "x-metronome-date", {
      template: "{timestamp}\n{body}",
      unit: "http-date",
    }),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The webhook's secret, as its page shows it.",
    whereToPaste: "Metronome → Connections → Webhooks → Add: paste the catch URL and copy the secret.",
    docsUrl: "https://docs.metronome.com/developer-resources/webhooks/",
    confirmed: false,
  },
];
