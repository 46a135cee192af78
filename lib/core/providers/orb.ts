import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The time has no zone and means UTC. Several signatures are separated by spaces. */
export const orb: Provider = {
  id: "orb",
  name: "Orb",
  scheme: {
    ...stampedMac("x-orb-signature", "x-orb-timestamp", {
      template: "v1:{timestamp}:{body}",
      unit: "iso-zoneless",
    }),
    signature: {
      sources: [{ from: "header", name: "x-orb-signature" }],
      format: { type: "pairs", itemSeparator: " ", keySeparator: "=", key: "v1" },
    },
  },
  eventId: [inBody("id")],
  identity: { why: "The body's id is that of the event.", source: null },
  eventType: [inBody("type")],
  secretHelp: "The webhook's signing secret, used as text.",
  whereToPaste: "Orb → Developers → Webhooks → Add: paste the catch URL and copy the secret.",
  docsUrl: "https://docs.withorb.com/guides/integrations-and-exports/webhooks",
  proof: { package: "orb-billing", describedBy: "provider" },
};
