import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const onfido: Provider = {
  id: "onfido",
  name: "Onfido",
  scheme: bodyMac("x-sha2-signature"),
  eventId: [byContent],
  identity: {
    why: "There is no id of the event. The body holds resource, action, status, and its time.",
    source: null,
  },
  eventType: [inBody("payload.action")],
  secretHelp: "The webhook's token, as its page shows it. Not an API token.",
  whereToPaste:
    "Dashboard → Settings → Webhooks → Create webhook: paste the catch URL and copy the token.",
  docsUrl: "https://documentation.onfido.com/api/latest/#webhooks",
  proof: { describedBy: "others" },
};
