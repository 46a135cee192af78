import { challenge } from "./shapes/handshakes.ts";
import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The timestamp is in the body, and the documentation doesn't say that retries are signed again.
 */
export const zoom: Provider = {
  id: "zoom",
  name: "Zoom",
  scheme: stampedMac("x-zm-signature", "x-zm-request-timestamp", {
    template: "v0:{timestamp}:{body}",
    prefix: "v0=",
  }),
  eventId: [byContent],
  identity: {
    why: "The body holds the event and its time to the millisecond.",
    source: "https://developers.zoom.us/docs/api/webhooks/",
  },
  eventType: [inBody("event")],
  secretHelp: "The app's Secret Token. Not the client secret.",
  whereToPaste:
    "marketplace.zoom.us → Manage → your app → Features → Access: copy the " +
    "Secret Token, add an event subscription, paste the catch URL as Event " +
    "notification endpoint URL and let Zoom validate it.",
  docsUrl: "https://developers.zoom.us/docs/api/webhooks/",
  proof: { describedBy: "provider" },
  /** Repeated every 72 hours. */
  handshakes: [
    {
      name: "URL validation",
      methods: ["POST"],
      when: [{ ...inBody("event"), equals: "endpoint.url_validation" }],
      proof: "signature",
      reply: {
        kind: "respond",
        challenge: inBody("payload.plainToken"),
        body: {
          type: "json",
          fields: {
            plainToken: [challenge],
            encryptedToken: [{ hmac: "sha256", encoding: "hex", of: [challenge] }],
          },
        },
      },
    },
  ],
  respondWithinSeconds: 3,
  marks: { userAgent: /^Zoom Marketplace\// },
};
