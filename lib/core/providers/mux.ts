import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const mux: Provider = {
  id: "mux",
  name: "Mux",
  scheme: pairMac("mux-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event; attempts in it counts the tries.",
    source: "npm @mux/mux-node",
  },
  eventType: [inBody("type")],
  secretHelp: "The webhook's signing secret, used as text.",
  whereToPaste:
    "Dashboard → Settings → Webhooks → Create new webhook: paste the catch URL and copy the signing secret.",
  docsUrl: "https://www.mux.com/docs/core/verify-webhook-signatures",
  proof: { package: "@mux/mux-node", describedBy: "provider" },
};
