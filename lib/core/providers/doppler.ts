import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const doppler: Provider = {
  id: "doppler",
  name: "Doppler",
  scheme: bodyMac("x-doppler-signature", { prefix: "sha256=" }),
  eventId: [],
  identity: {
    why:
      "Neither an id nor a time is documented, and two changes of one " +
      "config look alike. Every delivery is an event.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The signing secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste: "Project → Webhooks → Add: paste the catch URL and fill in the signing secret.",
  docsUrl: "https://docs.doppler.com/docs/webhooks",
  proof: { describedBy: "others" },
};
