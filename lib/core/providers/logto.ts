import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://docs.logto.io/developers/webhooks/secure-webhooks and `sign` of
 * https://github.com/logto-io/logto on 2026-11-28.
 */
export const logto: Provider = {
  id: "logto",
  name: "Logto",
  scheme: bodyMac("logto-signature-sha-256"),
  eventId: [byContent],
  identity: {
    why: "The body has the event's time in milliseconds, and Logto sends the same body on each try.",
    source:
      "https://github.com/logto-io/logto/blob/master/packages/core/src/libraries/hook/utils.ts",
  },
  eventType: [inBody("event")],
  secretHelp: "The webhook's Signing key.",
  whereToPaste:
    "Logto Console → Webhooks → Create webhook: paste the catch URL as " +
    "Endpoint URL, then copy the Signing key of the webhook's page.",
  docsUrl: "https://docs.logto.io/developers/webhooks/secure-webhooks",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
  marks: { userAgent: /^Logto \(https:\/\/logto\.io\/\)/ },
};
