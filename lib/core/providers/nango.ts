import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * X-Nango-Signature, sent as well, is a plain hash vulnerable to length extension. It is ignored.
 */
export const nango: Provider = {
  id: "nango",
  name: "Nango",
  scheme: bodyMac("x-nango-hmac-sha256"),
  eventId: [{ ...byContent, withinSeconds: 3600 }],
  identity: {
    why:
      "There is no event id. A sync's body holds its time; equal bodies, " +
      "such as of failed refreshes, are one event for an hour.",
    source: "https://nango.dev/docs/implementation-guides/platform/webhooks-from-nango",
  },
  eventType: [inBody("type")],
  secretHelp:
    "The webhook signing key of the environment; in older environments that is its secret key.",
  whereToPaste:
    "Environment Settings → Notification → Webhook URLs: paste the catch URL; the signing key is on the same page.",
  docsUrl: "https://nango.dev/docs/implementation-guides/platform/webhooks-from-nango",
  proof: { package: "@nangohq/node", describedBy: "provider" },
  marks: { body: [{ path: "from", is: /^nango$/, why: "its body says that it is from nango" }] },
};
