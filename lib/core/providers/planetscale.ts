import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const planetscale: Provider = {
  id: "planetscale",
  name: "PlanetScale",
  scheme: bodyMac("x-planetscale-signature"),
  eventId: [byContent],
  identity: { why: "The body holds event, resource, and time.", source: null },
  eventType: [inBody("event")],
  secretHelp: "The webhook's secret, as its page shows it.",
  whereToPaste:
    "Database → Settings → Webhooks → Add webhook: paste the catch URL and copy the secret.",
  docsUrl: "https://planetscale.com/docs/api/webhooks",
  proof: { describedBy: "others" },
};
