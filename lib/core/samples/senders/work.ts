/** What teams work with: issues, pages, alerts, errors. */
import type { Fresh } from "../fresh.ts";
import type { SampleContent, SampleEvents } from "../sample-event.ts";

const site = "https://example.atlassian.net";
const jiraUser = {
  self: `${site}/rest/api/2/user?accountId=5b10a2844c20165700ede21g`,
  accountId: "5b10a2844c20165700ede21g",
  displayName: "Jenny Rosen",
  active: true,
  timeZone: "America/Los_Angeles",
  accountType: "atlassian",
};

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
export const jira: SampleEvents = [
  {
    type: "jira:issue_created",
    make: (fresh) => jiraEvent(fresh, "jira:issue_created", "issue_created", null),
  },
  {
    type: "jira:issue_updated",
    make: (fresh) =>
      jiraEvent(fresh, "jira:issue_updated", "issue_generic", {
        field: "status",
        fieldtype: "jira",
        fieldId: "status",
        from: "10000",
        fromString: "To Do",
        to: "10002",
        toString: "Done",
      }),
  },
];

function jiraEvent(
  fresh: Fresh,
  webhookEvent: string,
  typeName: string,
  change: object | null,
): SampleContent {
  const [id, key] = [String(fresh.digits(5)), `EX-${fresh.digits(3)}`];
  const at = fresh.iso.replace("Z", "+0000");
  return {
    headers: {
      "user-agent": "Atlassian Webhook HTTP Client",
      "x-atlassian-webhook-identifier": fresh.uuid(),
      "x-atlassian-webhook-flow": "Primary",
    },
    json: {
      timestamp: fresh.nowMs,
      webhookEvent,
      issue_event_type_name: typeName,
      user: jiraUser,
      issue: {
        id,
        self: `${site}/rest/api/2/${id}`,
        key,
        fields: {
          summary: "Prices are shown without a currency",
          description: "In the cart it says 42.00 and not 42.00 USD.",
          issuetype: { id: "10004", name: "Bug", subtask: false },
          project: { id: "10000", key: "EX", name: "Example", projectTypeKey: "software" },
          priority: { id: "2", name: "High" },
          status: {
            id: change === null ? "10000" : "10002",
            name: change === null ? "To Do" : "Done",
            statusCategory: { id: change === null ? 2 : 3, key: change === null ? "new" : "done" },
          },
          labels: ["cart"],
          assignee: jiraUser,
          reporter: jiraUser,
          creator: jiraUser,
          created: at,
          updated: at,
          duedate: null,
          resolution: null,
        },
      },
      ...(change === null ? {} : { changelog: { id: String(fresh.digits(5)), items: [change] } }),
    },
  };
}

/** https://developers.notion.com/reference/webhooks-events-delivery */
export const notion: SampleEvents = [
  { type: "page.created", make: (fresh) => notionEvent(fresh, "page.created") },
  { type: "page.content_updated", make: (fresh) => notionEvent(fresh, "page.content_updated") },
];

function notionEvent(fresh: Fresh, type: string): SampleContent {
  return {
    json: {
      id: fresh.uuid(),
      timestamp: fresh.iso,
      workspace_id: "13950b26-c203-4f3b-b97d-93ec06319565",
      workspace_name: "Example",
      subscription_id: "29d75c0d-5546-4414-8459-7b7a92f1fc4b",
      integration_id: "0ef2e755-4912-8096-91c1-00376a88a5ca",
      type,
      authors: [{ id: "c7c11cca-1d73-471d-9b6e-bdef51470190", type: "person" }],
      accessible_by: [],
      attempt_number: 1,
      entity: { id: fresh.uuid(), type: "page" },
      data: {
        parent: { id: fresh.uuid(), type: "page" },
        ...(type === "page.content_updated" ? { updated_blocks: [{ id: fresh.uuid(), type: "block" }] } : {}),
      },
    },
  };
}

/** https://developer.pagerduty.com/docs/webhooks-overview */
export const pagerduty: SampleEvents = [
  { type: "incident.triggered", make: (fresh) => pagerdutyEvent(fresh, "incident.triggered", "triggered") },
  { type: "incident.resolved", make: (fresh) => pagerdutyEvent(fresh, "incident.resolved", "resolved") },
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

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export const sentry: SampleEvents = [
  {
    type: "issue",
    make: (fresh) => {
      const id = String(fresh.digits(10));
      return {
        headers: {
          "request-id": fresh.uuid().replaceAll("-", ""),
          "sentry-hook-resource": "issue",
          "sentry-hook-timestamp": String(fresh.seconds),
        },
        json: {
          action: "created",
          installation: { uuid: "a8e5d37a-696c-4c54-adb5-b3f28d64c7de" },
          data: {
            issue: {
              id,
              shortId: `CHECKOUT-${fresh.text(2).toUpperCase()}`,
              title: "TypeError: currency is undefined",
              culprit: "src/format-price",
              level: "error",
              status: "unresolved",
              substatus: "new",
              platform: "javascript",
              type: "error",
              metadata: {
                type: "TypeError",
                value: "currency is undefined",
                filename: "src/format-price.ts",
              },
              project: { id: "1", name: "check-out", slug: "check-out", platform: "javascript" },
              count: "1",
              userCount: 1,
              firstSeen: fresh.iso,
              lastSeen: fresh.iso,
              web_url: `https://example.sentry.io/issues/${id}/`,
            },
          },
          actor: { type: "application", id: "sentry", name: "Sentry" },
        },
      };
    },
  },
];
