import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `sha256=` is followed by base64. */
export const typeform: Provider = {
  id: "typeform",
  name: "Typeform",
  scheme: bodyMac("typeform-signature", { prefix: "sha256=", encoding: "base64" }),
  eventId: [inBody("event_id")],
  identity: {
    why: "event_id is that of the event, and stays the same on retries.",
    source: "https://www.typeform.com/developers/webhooks/example-payload/",
  },
  eventType: [inBody("event_type")],
  secretHelp: "The Secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Form → Connect → Webhooks → Add a webhook: paste the catch URL, then Edit → Secret, and switch the webhook on.",
  docsUrl: "https://www.typeform.com/developers/webhooks/secure-your-webhooks/",
  proof: { describedBy: "provider" },
  listing: { group: "used", place: 10 },
  marks: { userAgent: /^Typeform/ },
};
