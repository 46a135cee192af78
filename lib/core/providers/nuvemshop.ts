import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://tiendanube.github.io/api-documentation/resources/webhook on 2026-11-28,
 * whose text is in https://github.com/TiendaNube/api-docs too.
 */
export const nuvemshop: Provider = {
  id: "nuvemshop",
  name: "Nuvemshop (Tiendanube)",
  scheme: bodyMac("x-linkedstore-hmac-sha256"),
  eventId: [],
  identity: {
    why:
      "The body only has the store, the event, and the object's id, so the next " +
      "change of the object looks the same. Every delivery is an event.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The app's client secret. Not an access token.",
  whereToPaste:
    "POST /v1/{store_id}/webhooks with the catch URL as url and the " +
    "event; the Partners Portal shows the app's client secret.",
  docsUrl: "https://tiendanube.github.io/api-documentation/resources/webhook",
  proof: { describedBy: "provider" },
};
