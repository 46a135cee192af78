import { eventsAt } from "./shapes/events-at.ts";
import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const tailscale: Provider = {
  id: "tailscale",
  name: "Tailscale",
  scheme: pairMac("tailscale-webhook-signature"),
  eventId: [byContent],
  identity: {
    why: "Events have no id, but type, subject, and a time to the microsecond.",
    source: "https://tailscale.com/kb/1213/webhooks",
  },
  eventType: [inBody("0.type")],
  batch: eventsAt("", { eventType: [["type"]] }),
  secretHelp: "The webhook's secret (tskey-webhook-…), whole; it is shown once.",
  whereToPaste:
    "Admin console → Settings → Webhooks → Add endpoint: paste the catch URL and copy the secret.",
  docsUrl: "https://tailscale.com/kb/1213/webhooks",
  proof: { describedBy: "others" },
};
