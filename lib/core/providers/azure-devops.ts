import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://learn.microsoft.com/en-us/azure/devops/service-hooks/services/webhooks";

/**
 * Azure DevOps doesn't sign. It sends the subscription's user name and password. Compared with
 * https://learn.microsoft.com/azure/devops/service-hooks/services/webhooks on 2026-11-28.
 */
export const azureDevops: Provider = {
  id: "azure-devops",
  name: "Azure DevOps",
  scheme: { kind: "basic" },
  eventId: [
    allOf(inBody("subscriptionId"), inBody("notificationId"), inBody("id")),
    allOf(inBody("subscriptionId"), inBody("id")),
  ],
  identity: {
    why:
      "notificationId counts a subscription's notifications, and id is that " +
      "of the event. Test notifications all have the same id.",
    source: "https://learn.microsoft.com/en-us/azure/devops/service-hooks/events",
  },
  eventType: [inBody("eventType")],
  secretHelp: "user:password, as you entered them under Basic authentication.",
  isSecretChosen: true,
  whereToPaste:
    "Project settings → Service hooks → Create subscription → Web Hooks: choose an event, " +
    "paste the catch URL, and fill in Basic authentication username and password.",
  docsUrl,
  proof: { describedBy: "provider" },
  marks: {
    userAgent: /^VSServices\//,
    body: [
      {
        path: "publisherId",
        is: /^(?:tfs|rm|pipelines)$/,
        why: "its publisherId is one of Azure DevOps",
      },
      { path: "notificationId", is: /^\d+$/, why: "its body has a notificationId" },
    ],
  },
};
