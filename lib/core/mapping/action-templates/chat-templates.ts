import { type ActionTemplate, post, when } from "./action-template.ts";

const slackUrl = "https://hooks.slack.com/services/";
const webhook = "The URL of a Slack incoming webhook";

/** Events that people read in a chat. */
export const chatTemplates: readonly ActionTemplate[] = [
  {
    id: "github-push-slack",
    title: "GitHub push → Slack message",
    does: "Posts who pushed what to which branch, with a link.",
    providers: ["github"],
    eventType: "push",
    action: {
      name: "Tell Slack about pushes",
      filter: {
        all: [
          { path: "payload.ref", op: "startsWith", value: "refs/heads/" },
          { path: "payload.deleted", op: "equals", value: false },
        ],
      },
      request: post(slackUrl, {
        text:
          "{{ payload.pusher.name }} pushed {{ payload.commits | size }} commit(s) to {{ " +
          'payload.repository.full_name }}/{{ payload.ref | remove_first: "refs/heads/" }}: {{ ' +
          "payload.head_commit.message | truncate: 200 }} <{{ payload.compare }}|View changes>",
      }),
    },
    fillIn: [webhook],
  },
  {
    id: "pagerduty-slack",
    title: "PagerDuty incident → Slack message",
    does: "Posts incidents when they are triggered and when they are resolved.",
    providers: ["pagerduty"],
    eventType: "incident.triggered",
    action: {
      name: "Tell Slack about incidents",
      filter: {
        any: [
          { path: "payload.event.event_type", op: "equals", value: "incident.triggered" },
          { path: "payload.event.event_type", op: "equals", value: "incident.resolved" },
        ],
      },
      request: post(slackUrl, {
        text:
          "{{ payload.event.data.status | capitalize }}: {{ payload.event.data.title }} ({{ " +
          "payload.event.data.service.summary }}, urgency {{ payload.event.data.urgency }}) <{{ " +
          "payload.event.data.html_url }}|Incident {{ payload.event.data.number }}>",
      }),
    },
    fillIn: [webhook],
  },
  {
    id: "sentry-discord",
    title: "Sentry issue → Discord message",
    does: "Posts each new issue with a link to it.",
    providers: ["sentry"],
    eventType: "issue",
    action: {
      name: "Tell Discord about issues",
      filter: when("payload.action", "created"),
      request: post("https://discord.com/api/webhooks/", {
        content:
          "**{{ payload.data.issue.title | truncate: 200 }}** in {{ " +
          "payload.data.issue.project.name }} ({{ payload.data.issue.level }})\n{{ " +
          "payload.data.issue.web_url }}",
      }),
    },
    fillIn: ["The URL of a Discord channel webhook"],
  },
];
