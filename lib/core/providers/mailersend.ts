import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const mailersend: Provider = {
  id: "mailersend",
  name: "MailerSend",
  scheme: bodyMac("signature"),
  eventId: [byContent],
  identity: {
    why: "The body holds type, message, and the time to the microsecond.",
    source: "https://developers.mailersend.com/api/v1/webhooks.html",
  },
  eventType: [inBody("type")],
  secretHelp: "The webhook's Signing Secret.",
  whereToPaste:
    "Domain → Webhooks → Create webhook: paste the catch URL and copy the Signing Secret.",
  docsUrl: "https://developers.mailersend.com/api/v1/webhooks.html",
  proof: { describedBy: "others" },
};
