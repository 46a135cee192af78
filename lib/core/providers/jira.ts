import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const jira: Provider = {
  id: "jira",
  name: "Jira, Confluence (Cloud)",
  scheme: bodyMac("x-hub-signature", { prefix: "sha256=" }),
  eventId: [inHeader("x-atlassian-webhook-identifier")],
  identity: {
    why: "Each event has its own X-Atlassian-Webhook-Identifier, which Jira keeps for every try.",
    source: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
  },
  eventType: [inBody("webhookEvent")],
  secretHelp: "The webhook's Secret, as typed or generated.",
  whereToPaste:
    "Jira administration → System → WebHooks → Create a WebHook: paste the catch URL and fill in Secret.",
  docsUrl: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
  proof: { describedBy: "provider" },
  marks: {
    userAgent: /^Atlassian/,
    body: [{ path: "webhookEvent", is: /^jira:/, why: "its webhookEvent starts with jira:" }],
  },
};
