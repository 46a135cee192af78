/** Events of the great clouds that come with a shared value. */
import {
  cloudEventsHandshakes,
  eventGridHandshakes,
  googleChannelHandshakes,
  graphHandshakes,
} from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { eventsAt, inBody, inHeader } from "./shapes.ts";

export const clouds: readonly Provider[] = [
  {
    id: "azure-event-grid",
    name: "Azure Event Grid",
    scheme: { kind: "token", source: { from: "query", name: "token" } },
    eventId: [inBody("0.id"), inBody("id")],
    eventType: [inBody("0.eventType"), inBody("type")],
    batch: eventsAt("", { eventId: [["source", "id"], ["id"]], eventType: [["eventType"], ["type"]] }),
    secretHelp: "The value that you put behind ?token= in the URL that you give Event Grid.",
    whereToPaste:
      "Event subscription → Endpoint type Web Hook: paste the catch URL followed by ?token= and a long random value; set one event per batch.",
    docsUrl:
      "https://learn.microsoft.com/en-us/azure/event-grid/end-point-validation-event-grid-events-schema",
    handshakes: eventGridHandshakes,
  },
  /** Notifications come in batches that share the state. */
  {
    id: "microsoft-graph",
    name: "Microsoft Graph (change notifications)",
    scheme: { kind: "token", source: { from: "body", path: "value.0.clientState" } },
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("value.0.changeType")],
    batch: eventsAt("value", { eventId: [["id"]], otherwise: "place", eventType: [["changeType"]] }),
    secretHelp: "The clientState that you gave when you made the subscription (up to 128 characters).",
    whereToPaste:
      "Create the subscription over the API (POST /v1.0/subscriptions) with the catch URL as notificationUrl and a clientState of your own.",
    docsUrl: "https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks",
    handshakes: graphHandshakes,
    answerWithinSeconds: 3,
  },
  {
    id: "cloudevents",
    name: "CloudEvents",
    scheme: { kind: "bearer" },
    eventId: [inHeader("ce-id"), inBody("id")],
    eventType: [inHeader("ce-type"), inBody("type")],
    batch: eventsAt("", { eventId: [["source", "id"]], otherwise: "place", eventType: [["type"]] }),
    secretHelp: "The token alone, without the word Bearer.",
    whereToPaste: "Give the sender the catch URL and let it send the header Authorization: Bearer <token>.",
    docsUrl: "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md",
    handshakes: cloudEventsHandshakes,
  },
  /** Bodies are empty: what happened is in the headers. */
  {
    id: "google-channels",
    name: "Google Drive, Calendar (channels)",
    scheme: { kind: "token", source: { from: "header", name: "x-goog-channel-token" } },
    // Numbers start anew with each channel, so they would repeat.
    eventId: [inHeader("idempotency-key")],
    eventType: [inHeader("x-goog-resource-state")],
    secretHelp: "The token that you gave to the watch call.",
    whereToPaste: "Call watch of the API with the catch URL as address and a token of your own.",
    docsUrl: "https://developers.google.com/workspace/drive/api/guides/push",
    handshakes: googleChannelHandshakes,
    confirmed: false,
  },
];
