import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The method with a shared key. Lago's default is JWT, which is another provider here. */
export const lago: Provider = {
  id: "lago",
  name: "Lago (HMAC)",
  scheme: {
    ...bodyMac("x-lago-signature", { encoding: "base64" }),
    requiredHeaders: [{ name: "x-lago-signature-algorithm", value: "hmac" }],
  },
  eventId: [inHeader("x-lago-unique-key")],
  identity: {
    why: "Each event has its own X-Lago-Unique-Key, which is made for this purpose.",
    source: "https://getlago.com/docs/api-reference/webhooks/format---signature",
  },
  eventType: [inBody("webhook_type")],
  secretHelp: "The organization's HMAC key, used as text.",
  whereToPaste:
    "Developers → Webhooks → Add a webhook: paste the catch URL and choose HMAC as the signature, not JWT.",
  docsUrl: "https://getlago.com/docs/api-reference/webhooks/format---signature",
  proof: { describedBy: "others" },
};
