import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Webhooks of the gateway, whose `t` in the header is a nonce, not a time. Compared with
 * https://docs.nmi.com/reference/overview on 2026-11-28. NMI's webhooks about merchants'
 * applications are others: they have a header Signature.
 */
export const nmi: Provider = {
  id: "nmi",
  name: "NMI",
  scheme: {
    ...bodyMac("webhook-signature"),
    signature: {
      sources: [{ from: "header", name: "webhook-signature" }],
      format: { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "s" },
    },
    signed: { template: "{id}.{body}", values: { id: { from: "part", key: "t" } } },
  },
  eventId: [inBody("event_id")],
  identity: {
    why: "Each event has its own event_id; the transaction's id is inside event_body.",
    source: null,
  },
  eventType: [inBody("event_type")],
  secretHelp: "The signing key of the webhooks. Not a security key of the API.",
  whereToPaste:
    "Merchant portal → Settings → Webhooks: add the catch URL as " +
    "endpoint and choose events; the page shows the signing key.",
  docsUrl: "https://docs.nmi.com/reference/overview",
  proof: { describedBy: "provider" },
};
