import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Alertmanager doesn't sign. It sends the credentials of `http_config`, as a bearer token unless
 * another type is configured. Compared with
 * https://prometheus.io/docs/alerting/latest/configuration/#http_config on 2026-11-28.
 */
export const alertmanager: Provider = {
  id: "alertmanager",
  name: "Prometheus Alertmanager",
  scheme: { kind: "bearer" },
  eventId: [{ ...byContent, withinSeconds: 240 }],
  identity: {
    why:
      "A notification has no id. A failed one is sent again for as long as group_interval, " +
      "five minutes by default, and the same alerts are repeated after repeat_interval, four " +
      "hours by default. So equal bodies are one event for four minutes.",
    source: "https://github.com/prometheus/alertmanager/blob/main/notify/webhook/webhook.go",
  },
  eventType: [inBody("status")],
  secretHelp: "The credentials that you entered in authorization, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "alertmanager.yml → receivers → webhook_configs: the catch URL as url, and under " +
    "http_config → authorization a long random value as credentials.",
  docsUrl: "https://prometheus.io/docs/alerting/latest/configuration/#webhook_config",
  proof: { describedBy: "provider" },
  marks: {
    userAgent: /^Alertmanager\//,
    body: [{ path: "groupKey", is: /^\{/, why: "its body has a groupKey" }],
  },
};
