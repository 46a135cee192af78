import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** A comma between time and body where Stripe has a dot. */
export const convoy: Provider = {
  id: "convoy",
  name: "Convoy (advanced signatures)",
  scheme: pairMac("x-convoy-signature", { template: "{timestamp},{body}" }),
  eventId: [inHeader("x-convoy-idempotency-key"), { ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "Convoy passes on the idempotency key of the event where its publisher " +
      "gave one; without it equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("event_type"), inBody("type")],
  secretHelp:
    "The endpoint's secret, used as text. For sha512, base64 or another header, use custom.",
  whereToPaste:
    "Add the catch URL as an endpoint with advanced signatures, sha256, and hex. Then copy the endpoint's secret.",
  docsUrl: "https://docs.getconvoy.io/product-manual/signatures",
  proof: { describedBy: "provider" },
};
