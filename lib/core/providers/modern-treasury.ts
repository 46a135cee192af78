import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const modernTreasury: Provider = {
  id: "modern-treasury",
  name: "Modern Treasury",
  scheme: bodyMac("x-signature"),
  eventId: [byContent],
  identity: {
    why: "There is no id. The body is the event's name and the object with its time of change.",
    source: null,
  },
  eventType: [inHeader("x-topic"), inBody("event")],
  secretHelp: "The webhook endpoint's signing key.",
  whereToPaste: "Developers → Webhooks → Create: paste the catch URL and copy the signing key.",
  docsUrl: "https://docs.moderntreasury.com/platform/docs/webhooks",
  proof: { package: "modern-treasury", describedBy: "provider" },
};
