import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Events have no id. Empty lists are heartbeats. */
export const asana: Provider = {
  id: "asana",
  name: "Asana",
  scheme: bodyMac("x-hook-signature"),
  eventId: [byContent],
  identity: {
    why:
      "Events have no id, but resource, action, and a time to the " +
      "millisecond. Heartbeats are alike and run nothing that matters.",
    source: "https://developers.asana.com/docs/webhooks-guide",
  },
  eventType: [inBody("events.0.resource.resource_type")],
  batch: eventsAt("events", { eventType: [["resource.resource_type", "action"], ["action"]] }),
  secretHelp: "The X-Hook-Secret that Asana sends to the catch URL when the webhook is made.",
  whereToPaste: "Create the webhook over the API (POST /webhooks) with the catch URL as target.",
  docsUrl: "https://developers.asana.com/docs/webhooks-guide",
  proof: { describedBy: "provider" },
  handshakes: [
    {
      name: "secret in X-Hook-Secret",
      methods: ["POST"],
      when: [inHeader("x-hook-secret")],
      proof: "none",
      reply: { kind: "keepSecret", secret: inHeader("x-hook-secret"), echoHeader: "x-hook-secret" },
    },
  ],
  respondWithinSeconds: 10,
};
