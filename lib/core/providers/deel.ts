import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with https://developer.deel.com/v2.1.112/docs/webhooks-get-started on 2026-11-28. */
export const deel: Provider = {
  id: "deel",
  name: "Deel",
  scheme: { ...bodyMac("x-deel-signature"), signed: { template: "POST{body}" } },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "The body has the event's type, its time, and the resource, but no id of the " +
      "event that we could confirm. Equal bodies are one event for a day.",
    source: "https://developer.deel.com/api/webhooks/quickstart",
  },
  eventType: [inBody("data.meta.event_type")],
  secretHelp: "The webhook's signing key. Not an API token.",
  whereToPaste:
    "Developer Center → Webhooks → Create webhook: paste the catch URL; the webhook shows its signing key.",
  docsUrl: "https://developer.deel.com/v2.1.112/docs/webhooks-get-started",
  proof: { describedBy: "provider" },
};
