import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const sellsy: Provider = {
  id: "sellsy",
  name: "Sellsy",
  scheme: bodyMac("x-webhook-signature"),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "Sellsy documents no id that every event has. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("eventType"), inBody("event")],
  secretHelp: "The webhook's secret, as Sellsy shows it.",
  whereToPaste: "Settings → Developer portal → Webhooks: paste the catch URL and copy the secret.",
  docsUrl: "https://api.sellsy.com/doc/v2/",
  proof: { describedBy: "others" },
};
