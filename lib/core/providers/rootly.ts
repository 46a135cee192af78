import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Like Stripe, without the dot between time and body. */
export const rootly: Provider = {
  id: "rootly",
  name: "Rootly",
  scheme: pairMac("x-rootly-signature", { template: "{timestamp}{body}" }),
  eventId: [inBody("event.id")],
  identity: { why: "event.id is that of the event, not of the incident.", source: null },
  eventType: [inBody("event.type")],
  secretHelp: "The endpoint's signing secret, as its page shows it.",
  whereToPaste:
    "Rootly → Configuration → Webhooks → New: paste the catch URL and copy the signing secret.",
  docsUrl: "https://docs.rootly.com/configuration/webhooks",
  proof: { describedBy: "others" },
};
