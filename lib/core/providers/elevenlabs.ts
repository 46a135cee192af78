import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `v0` is the current version here. At Stripe it is a decoy. */
export const elevenlabs: Provider = {
  id: "elevenlabs",
  name: "ElevenLabs",
  scheme: pairMac("elevenlabs-signature", { key: "v0", window: 1800 }),
  eventId: [byContent],
  identity: {
    why: "The body holds type, event_timestamp, and the conversation.",
    source: "https://elevenlabs.io/docs/overview/administration/webhooks",
  },
  eventType: [inBody("type")],
  secretHelp: "The webhook's shared secret (wsec_…), whole; it is shown once.",
  whereToPaste:
    "Settings → Webhooks → Create: paste the catch URL, choose HMAC and copy the secret.",
  docsUrl: "https://elevenlabs.io/docs/overview/administration/webhooks",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
};
