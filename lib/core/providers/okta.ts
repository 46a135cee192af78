import { eventsAt } from "./shapes/events-at.ts";
import { challenge } from "./shapes/handshakes.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Okta doesn't sign. The header's whole value is compared. */
export const okta: Provider = {
  id: "okta",
  name: "Okta event hooks",
  scheme: { kind: "token", source: { from: "header", name: "authorization" } },
  eventId: [inBody("eventId"), inBody("data.events.0.uuid")],
  identity: {
    why: "Each event of the list has its own uuid.",
    source: "https://developer.okta.com/docs/concepts/event-hooks/",
  },
  eventType: [inBody("data.events.0.eventType")],
  batch: eventsAt("data.events", { eventId: [["uuid"]], eventType: [["eventType"]] }),
  secretHelp: "The Authentication secret exactly as typed at Okta, for the field Authorization.",
  isSecretChosen: true,
  whereToPaste:
    "Admin Console → Workflow → Event Hooks → Create: paste the catch URL, set " +
    "Authentication field to Authorization and fill in Authentication secret.",
  docsUrl: "https://developer.okta.com/docs/concepts/event-hooks/",
  proof: { describedBy: "provider" },
  handshakes: [
    {
      name: "one-time verification",
      methods: ["GET"],
      when: [inHeader("x-okta-verification-challenge")],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inHeader("x-okta-verification-challenge"),
        body: { type: "json", fields: { verification: [challenge] } },
      },
    },
  ],
  response: {},
  respondWithinSeconds: 3,
  marks: {
    body: [
      {
        path: "eventType",
        is: /^com\.okta\./,
        why: "its eventType starts with com.okta.",
        isSure: true,
      },
      { path: "source", is: /\/api\/v1\/eventHooks\//, why: "its source is an event hook of Okta" },
    ],
  },
};
