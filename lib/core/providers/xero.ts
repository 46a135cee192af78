import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The key looks like base64 and must not be decoded. Xero tests an invalid signature and expects
 * 401 for it.
 */
export const xero: Provider = {
  id: "xero",
  name: "Xero",
  scheme: bodyMac("x-xero-signature", { encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why: "Events have no id, but resource, type, and a time to the millisecond.",
    source: "https://developer.xero.com/documentation/guides/webhooks/overview/",
  },
  eventType: [inBody("events.0.eventType")],
  batch: eventsAt("events", { eventType: [["eventCategory", "eventType"], ["eventType"]] }),
  secretHelp: "The webhooks key, whole and with its ==. It is used as text and not decoded.",
  whereToPaste:
    "developer.xero.com → your app → Webhooks: paste the catch URL as Delivery " +
    "URL, save the key in the hook, then send the Intent to receive.",
  docsUrl: "https://developer.xero.com/documentation/guides/webhooks/overview/",
  proof: { describedBy: "provider" },
  /**
   * The "intent to receive": deliveries without events, with valid and invalid signatures. The
   * status is the response.
   */
  handshakes: [
    {
      name: "intent to receive",
      methods: ["POST"],
      when: [{ ...inBody("events.size"), equals: "0" }],
      proof: "signature",
      reply: { kind: "respond" },
    },
  ],
  response: { hasEmptyRejections: true },
  respondWithinSeconds: 5,
};
