import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export const alertmanagerSamples: SampleEvents = [
  { type: "firing", make: (fresh) => notification(fresh, "firing", fresh.hex(16)) },
  { type: "resolved", make: (fresh) => notification(fresh, "resolved", fresh.hex(16)) },
];

function notification(fresh: Fresh, status: string, fingerprint: string): SampleContent {
  const labels = { alertname: "QueueTooLong", severity: "critical", queue: "orders" };
  const endsAt = status === "resolved" ? fresh.iso : "0001-01-01T00:00:00Z";
  return {
    json: {
      receiver: "catchment",
      status,
      alerts: [
        {
          status,
          labels,
          annotations: { summary: "The queue orders is too long" },
          startsAt: fresh.isoSeconds,
          endsAt,
          generatorURL: "http://prometheus.example.com/graph",
          fingerprint,
        },
      ],
      groupLabels: { alertname: "QueueTooLong" },
      commonLabels: labels,
      commonAnnotations: {},
      externalURL: "http://alertmanager.example.com",
      version: "4",
      groupKey: '{}:{alertname="QueueTooLong"}',
      truncatedAlerts: 0,
    },
  };
}
