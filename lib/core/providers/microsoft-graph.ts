import { eventsAt } from "./shapes/events-at.ts";
import { echoQuery } from "./shapes/handshakes.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Notifications come in batches. Each has its own clientState, since anyone could add one to a
 * batch.
 */
export const microsoftGraph: Provider = {
  id: "microsoft-graph",
  name: "Microsoft Graph (change notifications)",
  scheme: { kind: "token", source: { from: "body", path: "value.*.clientState" } },
  eventId: [],
  identity: {
    why:
      "A notification has an id of its own or none; without one nothing tells " +
      "two changes of an item apart, so it is an event of its own.",
    source: "https://learn.microsoft.com/en-us/graph/api/resources/changenotification",
  },
  eventType: [inBody("value.0.changeType")],
  batch: eventsAt("value", {
    eventId: [["id"]],
    otherwise: "place",
    eventType: [["changeType"], ["lifecycleEvent"]],
  }),
  secretHelp:
    "The clientState that you gave when you made the subscription (up to 128 characters).",
  isSecretChosen: true,
  whereToPaste:
    "Create the subscription over the API (POST /v1.0/subscriptions) with the " +
    "catch URL as notificationUrl and a clientState of your own.",
  docsUrl: "https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks",
  proof: { describedBy: "provider" },
  handshakes: [echoQuery("validationToken", "POST")],
  respondWithinSeconds: 3,
};
