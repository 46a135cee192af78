import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Next-generation webhooks. The classic ones, a form with nothing but an id, aren't signed.
 * Mollie's own library accepts the signature with and without the prefix, and its documentation has
 * both. Compared with `SignatureValidator` of https://github.com/mollie/mollie-api-php on
 * 2026-11-28.
 */
export const mollie: Provider = {
  id: "mollie",
  name: "Mollie (next-gen webhooks)",
  scheme: {
    ...bodyMac("x-mollie-signature"),
    signature: {
      sources: [{ from: "header", name: "x-mollie-signature" }],
      format: { type: "prefixed", prefix: "sha256=", optional: true },
    },
  },
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event. entityId is that of the payment or other object.",
    source: "https://docs.mollie.com/reference/webhooks-new",
  },
  eventType: [inBody("type")],
  secretHelp: "The webhook's signing secret, which Mollie shows once. Not an API key.",
  whereToPaste:
    "Mollie Dashboard → Developers → Webhooks (or the Webhooks API): paste " +
    "the catch URL, choose events, and copy the signing secret.",
  docsUrl: "https://docs.mollie.com/reference/webhooks-best-practices",
  proof: { describedBy: "provider" },
  marks: {
    body: [{ path: "id", is: /^event_[A-Za-z0-9]{10,}$/, why: "its id starts with event_" }],
  },
};
