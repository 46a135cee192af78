import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl =
  "https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook";

/**
 * New Relic doesn't sign. It sends the destination's bearer token. Compared with
 * https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook on
 * 2026-11-28.
 */
export const newRelic: Provider = {
  id: "new-relic",
  name: "New Relic (alerts)",
  scheme: { kind: "bearer" },
  eventId: [{ ...allOf(inBody("id"), byContent), withinSeconds: 3_600 }],
  identity: {
    why:
      "The id of the default payload is that of the issue, which sends several " +
      "notifications, so the content counts too. A payload without id is always an event.",
    source: null,
  },
  eventType: [inBody("trigger"), inBody("state")],
  secretHelp: "The destination's Bearer Token, as you entered it, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Alerts → Destinations → Webhook: paste the catch URL as Endpoint URL, " +
    "choose Bearer Token under Use authorization, and enter a long random " +
    "value. Then add the destination to a workflow.",
  docsUrl,
  proof: { describedBy: "provider" },
};
