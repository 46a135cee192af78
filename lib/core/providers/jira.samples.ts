import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

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
export const jiraSamples: SampleEvents = [
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
