import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const quickbooks: Provider = {
  id: "quickbooks",
  name: "QuickBooks Online",
  scheme: bodyMac("intuit-signature", { encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why: "CloudEvents have an id. In the older format entity, operation, and lastUpdated tell notifications apart.",
    source: null,
  },
  eventType: [inBody("eventNotifications.0.dataChangeEvent.entities.0.name"), inBody("0.type")],
  batch: eventsAt("", { eventId: [["id"]], eventType: [["type"]] }),
  secretHelp: "The Verifier token of the app's webhooks, used as text.",
  whereToPaste:
    "developer.intuit.com → your app → Webhooks: paste the catch URL as Endpoint URL and copy the Verifier token.",
  docsUrl: "https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks",
  proof: { describedBy: "others" },
};
