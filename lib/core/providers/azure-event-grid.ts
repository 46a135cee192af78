import { eventsAt } from "./shapes/events-at.ts";
import { allowedOrigin, challenge } from "./shapes/handshakes.ts";
import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const azureEventGrid: Provider = {
  id: "azure-event-grid",
  name: "Azure Event Grid",
  scheme: { kind: "token", source: { from: "query", name: "token" } },
  eventId: [
    allOf(inBody("0.topic"), inBody("0.id")),
    inBody("0.id"),
    allOf(inBody("source"), inBody("id")),
    inBody("id"),
  ],
  identity: {
    why: "An event's id is unique within its topic or source, so both count.",
    source: null,
  },
  eventType: [inBody("0.eventType"), inBody("type")],
  batch: eventsAt("", {
    eventId: [["topic", "id"], ["source", "id"], ["id"]],
    eventType: [["eventType"], ["type"]],
  }),
  secretHelp: "The value that you put behind ?token= in the URL that you give Event Grid.",
  isSecretChosen: true,
  whereToPaste:
    "Event subscription → Endpoint type Web Hook: paste the catch URL followed " +
    "by ?token= and a long random value; set one event per batch.",
  docsUrl:
    "https://learn.microsoft.com/en-us/azure/event-grid/end-point-validation-event-grid-events-schema",
  proof: { describedBy: "provider" },
  handshakes: [
    allowedOrigin,
    {
      name: "subscription validation",
      methods: ["POST"],
      when: [
        { ...inBody("0.eventType"), equals: "Microsoft.EventGrid.SubscriptionValidationEvent" },
      ],
      proof: "signature",
      respondsWhilePending: true,
      reply: {
        kind: "respond",
        challenge: inBody("0.data.validationCode"),
        body: { type: "json", fields: { validationResponse: [challenge] } },
      },
    },
  ],
  marks: {
    body: [{ path: "0.eventType", is: /^Microsoft\./, why: "its events are of Microsoft" }],
  },
};
