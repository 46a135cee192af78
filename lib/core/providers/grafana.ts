import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Without the optional timestamp header, whose separator could not be confirmed. */
export const grafana: Provider = {
  id: "grafana",
  name: "Grafana Alerting",
  scheme: bodyMac("x-grafana-alerting-signature"),
  eventId: [],
  identity: {
    why:
      "Reminders of an alert that still fires look like the first one, " +
      "and nothing numbers them. Every delivery is an event.",
    source:
      "https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/",
  },
  eventType: [inBody("status")],
  secretHelp: "The Secret of the contact point's HMAC signature.",
  whereToPaste:
    "Alerting → Contact points → Webhook: paste the catch URL; under HMAC " +
    "signature fill in Secret and leave the timestamp header empty.",
  docsUrl:
    "https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/",
  proof: { describedBy: "others" },
};
