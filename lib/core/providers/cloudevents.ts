import { eventsAt } from "./shapes/events-at.ts";
import { allowedOrigin } from "./shapes/handshakes.ts";
import { allOf, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const cloudevents: Provider = {
  id: "cloudevents",
  name: "CloudEvents",
  scheme: { kind: "bearer" },
  eventId: [
    allOf(inHeader("ce-source"), inHeader("ce-id")),
    allOf(inBody("source"), inBody("id")),
    inHeader("ce-id"),
    inBody("id"),
  ],
  identity: {
    why: "The specification says that source and id together are unique.",
    source: "https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md",
  },
  eventType: [inHeader("ce-type"), inBody("type")],
  batch: eventsAt("", { eventId: [["source", "id"]], otherwise: "place", eventType: [["type"]] }),
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Enter the catch URL at the provider, and configure the header Authorization: Bearer <token>.",
  docsUrl: "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md",
  proof: { describedBy: "provider" },
  handshakes: [allowedOrigin],
  listing: { group: "scheme", place: 5 },
  marks: { body: [{ path: "specversion", is: /^1\./, why: "it is a CloudEvent" }] },
};
