import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const attio: Provider = {
  id: "attio",
  name: "Attio",
  scheme: bodyMac("attio-signature"),
  eventId: [inHeader("idempotency-key")],
  identity: {
    why: "Attio sends an Idempotency-Key of its own with each body, and an event is told by its place in it.",
    source: "https://docs.attio.com/rest-api/guides/webhooks",
  },
  eventType: [inBody("events.0.event_type")],
  batch: eventsAt("events", {
    keepsEnvelope: true,
    otherwise: "place",
    eventType: [["event_type"]],
  }),
  secretHelp: "The webhook's secret, shown when it is made.",
  whereToPaste:
    "Workspace settings → Developers → Webhooks → New: paste the catch URL and copy the secret.",
  docsUrl: "https://docs.attio.com/rest-api/guides/webhooks",
  proof: { describedBy: "provider" },
};
