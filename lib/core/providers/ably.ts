import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Only batched requests are signed. A retried batch may have new items in it. Compared with
 * https://ably.com/docs/platform/integrations/webhooks on 2026-11-28.
 */
export const ably: Provider = {
  id: "ably",
  name: "Ably",
  scheme: bodyMac("x-ably-signature", { encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why: "Each item has its channel's serial and its time in milliseconds, so the item as a whole is the event.",
    source: "https://ably.com/docs/platform/integrations/webhooks",
  },
  eventType: [inBody("items.0.name")],
  batch: eventsAt("items", { eventType: [["name"]] }),
  secretHelp: "The secret part of the API key that signs: all after the colon.",
  whereToPaste:
    "Your app → Integrations → New integration rule → Webhook: paste the " +
    "catch URL, choose Batch request, and a key to sign with.",
  docsUrl: "https://ably.com/docs/platform/integrations/webhooks",
  proof: { describedBy: "provider" },
  marks: { body: [{ path: "items.0.webhookId", is: /./, why: "its items have a webhookId" }] },
};
