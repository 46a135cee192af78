import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.pagerduty.com/docs/webhooks-overview */
export const pagerdutySamples: SampleEvents = [
  {
    type: "incident.triggered",
    make: (fresh) => pagerdutyEvent(fresh, "incident.triggered", "triggered"),
  },
  {
    type: "incident.resolved",
    make: (fresh) => pagerdutyEvent(fresh, "incident.resolved", "resolved"),
  },
];

function pagerdutyEvent(fresh: Fresh, type: string, status: string): SampleContent {
  const link = (kind: string, id: string, summary: string) => ({
    id,
    type: `${kind}_reference`,
    self: `https://api.pagerduty.com/${kind}s/${id}`,
    html_url: `https://example.pagerduty.com/${kind}s/${id}`,
    summary,
  });
  const id = `Q${fresh.text(13).toUpperCase()}`;
  return {
    headers: { "user-agent": "PagerDuty-Webhook/V3.0", "x-webhook-id": fresh.uuid() },
    json: {
      event: {
        id: `01${fresh.text(24).toUpperCase()}`,
        event_type: type,
        resource_type: "incident",
        occurred_at: fresh.iso,
        agent: link("user", "PEXAMPLE1", "Jenny Rosen"),
        client: null,
        data: {
          id,
          type: "incident",
          self: `https://api.pagerduty.com/incidents/${id}`,
          html_url: `https://example.pagerduty.com/incidents/${id}`,
          number: fresh.digits(3),
          status,
          incident_key: fresh.hex(32),
          created_at: fresh.isoSeconds,
          title: "The check-out answers slowly",
          service: link("service", "PEXAMPLE2", "Check-out"),
          assignees: [link("user", "PEXAMPLE1", "Jenny Rosen")],
          escalation_policy: link("escalation_policy", "PEXAMPLE3", "Default"),
          teams: [link("team", "PEXAMPLE4", "Engineering")],
          priority: null,
          urgency: "high",
          conference_bridge: null,
          resolve_reason: null,
        },
      },
    },
  };
}
