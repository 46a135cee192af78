import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { signedBy } from "./shapes/public-key.ts";

export const wise: Provider = {
  id: "wise",
  name: "Wise",
  scheme: signedBy("rsa-sha256", "base64", "x-signature-sha256", { template: "{body}" }),
  eventId: [inHeader("x-delivery-id")],
  identity: {
    why: "Each notification has its own delivery UUID. We found no page that says whether a further try keeps it.",
    source: "https://docs.wise.com/guides/developer/webhooks/event-handling",
  },
  eventType: [inBody("event_type")],
  secretHelp:
    "Wise's public key as PEM, of the page about event handling: one for production, one for sandbox.",
  whereToPaste: "Wise → Settings → Webhooks → Create new webhook: paste the catch URL.",
  docsUrl: "https://docs.wise.com/guides/developer/webhooks/event-handling",
  proof: { describedBy: "others" },
};
