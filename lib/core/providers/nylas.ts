import { echoQuery } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The bytes on the wire are signed, compressed if compression is on. */
export const nylas: Provider = {
  id: "nylas",
  name: "Nylas (v3)",
  scheme: bodyMac("x-nylas-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the notification; webhook_delivery_attempt counts the tries.",
    source: "https://developer.nylas.com/docs/v3/notifications/",
  },
  eventType: [inBody("type")],
  secretHelp: "The webhook_secret in the response that made the webhook.",
  whereToPaste:
    "Dashboard → Notifications → Create webhook: paste the catch URL and copy the webhook secret, which is shown once.",
  docsUrl: "https://developer.nylas.com/docs/v3/notifications/",
  proof: { describedBy: "provider" },
  handshakes: [echoQuery("challenge")],
  respondWithinSeconds: 10,
};
