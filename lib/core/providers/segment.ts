import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Segment signs only the first event of a batch, so batches are rejected: the rest could be forged.
 */
export const segment: Provider = {
  id: "segment",
  name: "Segment",
  scheme: bodyMac("x-signature", { hash: "sha1" }),
  eventId: [inBody("messageId")],
  identity: {
    why: "Each event has a messageId of its own, which it keeps when Segment sends it again.",
    source: "https://segment.com/docs/connections/spec/",
  },
  eventType: [inBody("event"), inBody("type")],
  secretHelp: "The Shared Secret that you typed in the settings of the destination.",
  isSecretChosen: true,
  whereToPaste:
    "Connections → Catalog → Webhooks (Actions) → add the destination: fill " +
    "in Shared Secret, and in the mapping paste the catch URL. Leave batching " +
    "off: Segment signs only the first event of a batch.",
  docsUrl: "https://www.twilio.com/docs/segment/connections/destinations/catalog/actions-webhook",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 5,
  marks: {
    body: [{ path: "messageId", is: /./, why: "its body has a messageId as Segment's have" }],
  },
};
