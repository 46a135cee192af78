import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const revenuecat: Provider = {
  id: "revenuecat",
  name: "RevenueCat",
  scheme: { kind: "token", source: { from: "header", name: "authorization" } },
  eventId: [inBody("event.id")],
  identity: {
    why: "event.id is that of the event, and stays the same on retries.",
    source: "https://www.revenuecat.com/docs/integrations/webhooks/event-types-and-fields",
  },
  eventType: [inBody("event.type")],
  secretHelp:
    "The Authorization header value exactly as typed at RevenueCat, with Bearer if you typed it.",
  isSecretChosen: true,
  whereToPaste:
    "Project → Integrations → Webhooks → Add: paste the catch URL and fill in Authorization header value.",
  docsUrl: "https://www.revenuecat.com/docs/integrations/webhooks",
  proof: { describedBy: "others" },
  marks: { body: [{ path: "event.app_user_id", is: /./, why: "its event has an app_user_id" }] },
};
