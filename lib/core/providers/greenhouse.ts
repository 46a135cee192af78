import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `sha256 <hex>`, with a space. */
export const greenhouse: Provider = {
  id: "greenhouse",
  name: "Greenhouse",
  scheme: bodyMac("signature", { prefix: "sha256 " }),
  eventId: [inHeader("greenhouse-event-id")],
  identity: {
    why: "Each event has its own Greenhouse-Event-ID. We found no page that says whether a further try keeps it.",
    source: "https://developers.greenhouse.io/webhooks.html",
  },
  eventType: [inBody("action")],
  secretHelp: "The Secret key that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Configure → Dev Center → Webhooks → Create: paste the catch URL as Endpoint URL and fill in Secret key.",
  docsUrl: "https://developers.greenhouse.io/webhooks.html",
  proof: { describedBy: "others" },
};
