/** Alerts and incidents. */
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, inBody, inHeader, pairMac } from "./shapes.ts";

export const operations: readonly Provider[] = [
  /** Answered with 4xx, PagerDuty drops the event for good. */
  {
    id: "pagerduty",
    name: "PagerDuty (v3)",
    scheme: pairMac("x-pagerduty-signature", { timeKey: null }),
    eventId: [inBody("event.id")],
    eventType: [inBody("event.event_type")],
    secretHelp: "The subscription's signing secret, shown once when it is made.",
    whereToPaste:
      "PagerDuty → Integrations → Generic Webhooks (v3) → New Webhook: paste the catch URL and copy the secret that is shown. Save the secret in the hook before events arrive.",
    docsUrl: "https://developer.pagerduty.com/docs/webhooks-overview",
    answerWithinSeconds: 5,
  },

  /** Without the optional timestamp header, whose separator could not be confirmed. */
  {
    id: "grafana",
    name: "Grafana Alerting",
    scheme: bodyMac("x-grafana-alerting-signature"),
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("status")],
    secretHelp: "The Secret of the contact point's HMAC signature.",
    whereToPaste:
      "Alerting → Contact points → Webhook: paste the catch URL; under HMAC signature fill in Secret and leave the timestamp header empty.",
    docsUrl:
      "https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/",
    confirmed: false,
  },

  /** Looks like Stripe, without the dot between time and body. */
  {
    id: "rootly",
    name: "Rootly",
    scheme: pairMac("x-rootly-signature", { template: "{timestamp}{body}" }),
    eventId: [inBody("event.id")],
    eventType: [inBody("event.type")],
    secretHelp: "The endpoint's signing secret, as its page shows it.",
    whereToPaste: "Rootly → Configuration → Webhooks → New: paste the catch URL and copy the signing secret.",
    docsUrl: "https://docs.rootly.com/configuration/webhooks",
    confirmed: false,
  },

  /** Through Hookdeck: the signature is Hookdeck's own, not that of the first sender. */
  {
    id: "hookdeck",
    name: "Hookdeck (as relay)",
    scheme: {
      ...bodyMac("x-hookdeck-signature", { encoding: "base64" }),
      signature: {
        sources: [
          { from: "header", name: "x-hookdeck-signature" },
          { from: "header", name: "x-hookdeck-signature-2" },
        ],
        format: { type: "bare" },
      },
    },
    eventId: [inHeader("x-hookdeck-eventid")],
    eventType: [inBody("type")],
    secretHelp: "The project's signing secret, used as text. While it is rotated, both signatures count.",
    whereToPaste:
      "Hookdeck → Connections → Destination: paste the catch URL; Settings → Secrets shows the signing secret.",
    docsUrl: "https://hookdeck.com/docs/authentication",
  },

  /** A comma between time and body where Stripe has a dot. */
  {
    id: "convoy",
    name: "Convoy (advanced signatures)",
    scheme: pairMac("x-convoy-signature", { template: "{timestamp},{body}" }),
    eventId: [inHeader("x-convoy-idempotency-key"), byContent],
    eventType: [inBody("event_type"), inBody("type")],
    secretHelp: "The endpoint's secret, used as text. For sha512, base64 or another header, use custom.",
    whereToPaste:
      "Give the sender the catch URL as endpoint, with advanced signatures, sha256 and hex; copy the endpoint's secret.",
    docsUrl: "https://docs.getconvoy.io/product-manual/signatures",
  },
];
