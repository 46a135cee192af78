import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.datadoghq.com/integrations/webhooks/";

/**
 * Datadog doesn't sign. It sends the custom headers of the webhook. Compared with
 * https://docs.datadoghq.com/integrations/webhooks/ on 2026-11-28.
 */
export const datadog: Provider = {
  id: "datadog",
  name: "Datadog (webhooks)",
  scheme: { kind: "bearer" },
  eventId: [{ ...allOf(inBody("id"), byContent), withinSeconds: 3_600 }],
  identity: {
    why:
      "The id of the default payload is that of the event. A payload of one's own " +
      "may have another id, such as the monitor's, so the content counts too. " +
      "Datadog tries five times after 5xx and lost connections.",
    source: docsUrl,
  },
  eventType: [inBody("event_type")],
  secretHelp: "The value that you entered in the custom header, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Integrations → Webhooks → New: paste the catch URL, and enter " +
    '{"Authorization": "Bearer …"} with a long random value as Custom ' +
    "Headers. Then mention @webhook-NAME in a monitor.",
  docsUrl,
  proof: { describedBy: "provider" },
  respondWithinSeconds: 15,
};
