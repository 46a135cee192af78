import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Balance platform, banking and management webhooks. Payment notifications sign their items
 * instead.
 */
export const adyenPlatform: Provider = {
  id: "adyen-platform",
  name: "Adyen (platforms, management)",
  scheme: { ...bodyMac("hmacsignature", { encoding: "base64" }), secret: { decode: "hex" } },
  eventId: [byContent],
  identity: {
    why: "The body holds the id of the object and the time of the event, and is sent again unchanged.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The HMAC key of the webhook: 64 hexadecimal characters, which are decoded.",
  whereToPaste:
    "Customer Area → Developers → Webhooks → the webhook of your " +
    "platform: paste the catch URL and generate the HMAC key.",
  docsUrl:
    "https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures",
  proof: { describedBy: "others" },
};
