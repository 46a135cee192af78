import { bodyMac } from "./shapes/mac.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const airtable: Provider = {
  id: "airtable",
  name: "Airtable",
  scheme: {
    ...bodyMac("x-airtable-content-mac", { prefix: "hmac-sha256=" }),
    secret: { decode: "base64" },
  },
  eventId: [byContent],
  identity: {
    why: "A ping names base, webhook, and the time to the millisecond. There is nothing else in it.",
    source: "https://airtable.com/developers/web/api/webhooks-overview",
  },
  eventType: [],
  secretHelp: "The macSecretBase64 of the webhook: base64, which is decoded.",
  whereToPaste:
    "Create the webhook over the API (POST /v0/bases/{base}/webhooks) with the " +
    "catch URL as notificationUrl; the response holds macSecretBase64.",
  docsUrl: "https://airtable.com/developers/web/api/webhooks-overview",
  proof: { describedBy: "others" },
};
