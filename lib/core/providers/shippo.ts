import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://docs.goshippo.com/tracking/webhook-security on 2026-11-28, as others quote
 * it. The page names the header as its script reads it: HTTP_SHIPPO_AUTH_SIGNATURE.
 */
export const shippo: Provider = {
  id: "shippo",
  name: "Shippo",
  scheme: pairMac("shippo-auth-signature"),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "The body is the tracking or transaction with its latest status and time, but " +
      "without an id of the event. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The HMAC secret that Shippo's support makes on request. Not an API token.",
  whereToPaste:
    "Settings → API → Webhooks → Add webhook: paste the catch URL, and ask Shippo's support to enable HMAC for it.",
  docsUrl: "https://docs.goshippo.com/tracking/webhook-security",
  proof: { describedBy: "provider" },
};
