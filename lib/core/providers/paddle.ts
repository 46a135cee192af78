import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Paddle's own package allows 5 s by default, which fails with any unsynchronized clock. A minute
 * is as safe here: `event_id` identifies repeats long after any window. The package only reads the
 * last `h1` of several; here any may match, as during a secret rotation.
 */
export const paddle: Provider = {
  id: "paddle",
  name: "Paddle Billing",
  scheme: pairMac("paddle-signature", {
    template: "{timestamp}:{body}",
    itemSeparator: ";",
    key: "h1",
    timeKey: "ts",
    window: 60,
  }),
  eventId: [inBody("event_id")],
  identity: {
    why: "event_id is that of the event; notification_id is one per destination.",
    source: "npm @paddle/paddle-node-sdk",
  },
  eventType: [inBody("event_type")],
  secretHelp:
    "The secret key of the notification destination (pdl_ntfset_…), whole. Not an API key.",
  whereToPaste:
    "Paddle → Developer tools → Notifications → New destination (webhook): paste " +
    "the catch URL, then edit the destination to see its secret key.",
  docsUrl: "https://developer.paddle.com/webhooks/signature-verification",
  proof: { package: "@paddle/paddle-node-sdk", describedBy: "provider" },
  secretStartsWith: "pdl_ntfset_",
  marks: {
    body: [{ path: "notification_id", is: /^ntf_/, why: "its notification_id starts with ntf_" }],
  },
};
