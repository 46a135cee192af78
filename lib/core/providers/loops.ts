import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const loops: Provider = {
  id: "loops",
  name: "Loops",
  ...byStandardWebhooks,
  eventType: [inBody("eventName")],
  secretHelp:
    "What follows the first underscore of the signing secret: base64, which is decoded. " +
    "Leave out the text in front and the underscore, unless it is whsec_.",
  whereToPaste: "Settings → Webhooks: paste the catch URL and copy the signing secret.",
  docsUrl: "https://loops.so/docs/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
