import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The key looks like hex but is used as text: Authorize.net only decodes it for transaction hashes.
 */
export const authorizeNet: Provider = {
  id: "authorize-net",
  name: "Authorize.net",
  scheme: bodyMac("x-anet-signature", { hash: "sha512", prefix: "sha512=" }),
  eventId: [inBody("notificationId")],
  identity: {
    why: "Each notification has an id of its own, which stays the same on retries.",
    source: "https://developer.authorize.net/api/reference/features/webhooks.html",
  },
  eventType: [inBody("eventType")],
  secretHelp:
    "The Signature Key (128 hexadecimal characters), used as text and not decoded. Not the transaction key.",
  whereToPaste:
    "Merchant Interface → Account → Settings → Webhooks → Add Endpoint: paste the " +
    "catch URL; Settings → API Credentials & Keys makes the Signature Key.",
  docsUrl: "https://developer.authorize.net/api/reference/features/webhooks.html",
  proof: { examples: 1, describedBy: "provider" },
  marks: {
    body: [
      {
        path: "eventType",
        is: /^net\.authorize\./,
        why: "its eventType starts with net.authorize.",
      },
    ],
  },
};
