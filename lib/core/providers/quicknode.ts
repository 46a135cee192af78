import { stampedMac } from "./shapes/mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const mac = stampedMac("x-qn-signature", "x-qn-timestamp", { template: "{id}{timestamp}{body}" });

/**
 * Streams and Webhooks. The nonce is signed, and so is the body before it is compressed. Compared
 * with https://www.quicknode.com/sample-app-library/streams-webhook-validate-signature on
 * 2026-11-28.
 */
export const quicknode: Provider = {
  id: "quicknode",
  name: "QuickNode",
  scheme: {
    ...mac,
    signed: { ...mac.signed, values: { id: inHeader("x-qn-nonce") }, gunzip: true },
  },
  eventId: [],
  identity: {
    why:
      "The body is what the stream's filter returns, without an id, and may be the same for " +
      "two blocks. Every delivery is an event, unless its nonce is repeated.",
    source: null,
  },
  eventType: [],
  secretHelp: "The Security Token of the stream or webhook. It is used as text.",
  whereToPaste:
    "Dashboard → Streams or Webhooks → Create: paste the catch URL as " +
    "destination; the stream's settings show its security token.",
  docsUrl:
    "https://www.quicknode.com/guides/quicknode-products/streams/validating-incoming-streams-webhook-messages",
  proof: { describedBy: "provider" },
};
