import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook */
export const newRelicSamples: SampleEvents = [
  { type: "INCIDENT_OPEN", make: (fresh) => issue(fresh, fresh.uuid(), "ACTIVATED") },
];

function issue(fresh: Fresh, id: string, state: string): SampleContent {
  return {
    json: {
      id,
      issueUrl: `https://radar-api.service.newrelic.com/accounts/1/issues/${id}`,
      title: "The queue orders is too long",
      priority: "CRITICAL",
      impactedEntities: ["orders"],
      totalIncidents: 1,
      state,
      trigger: state === "CLOSED" ? "STATE_CHANGE" : "INCIDENT_OPEN",
      createdAt: fresh.nowMs,
      updatedAt: fresh.nowMs,
      workflowName: "Catchment",
    },
  };
}
