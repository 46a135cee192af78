import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const ashby: Provider = {
  id: "ashby",
  name: "Ashby",
  scheme: bodyMac("ashby-signature", { prefix: "sha256=" }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "Ashby documents neither an id nor a time of the event, so equal bodies count as one for a day only.",
    source: null,
  },
  eventType: [inBody("action")],
  secretHelp: "The Secret token that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Admin → Integrations → Webhooks → New: paste the catch URL and fill in Secret token.",
  docsUrl: "https://developers.ashbyhq.com/docs/authenticating-webhooks",
  proof: { describedBy: "others" },
};
